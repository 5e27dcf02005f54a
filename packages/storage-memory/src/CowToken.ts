/**
 * Copy-on-write: a part of a store may be changed in place by the store whose token it carries. Any
 * other store that shares the part copies it before its first change, so a fork costs a handful of
 * references, however many rows there are.
 */
export type CowToken = symbol

export const newCowToken = (): CowToken => Symbol("copy on write")
