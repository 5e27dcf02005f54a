/**
 * Who may change a part of a store in place: the store whose token the part carries. Every other store that shares the
 * part copies it before it changes it, so a fork costs a handful of references however many rows there are.
 */
export type Owner = symbol

export const newOwner = (): Owner => Symbol("owner")
