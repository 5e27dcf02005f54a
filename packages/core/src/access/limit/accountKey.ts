/**
 * The key under which an account's requests are counted: all keys of an account share its limits.
 */
export const accountKey = (accountId: number): string => `account:${accountId}`
