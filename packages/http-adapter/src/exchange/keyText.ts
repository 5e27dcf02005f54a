/** Removes API keys from texts that are answered or logged. */

const KEY_TEXT = /ps_[0-9A-Za-z]{4,}/g

/** Cuts whatever looks like a key, or like the beginning of one, to its prefix. */
export const withoutKeys = (text: string): string => text.replace(KEY_TEXT, "ps_…")

/** Whether a text could contain a part of a key. */
export const mayHoldKey = (text: string): boolean => text.includes("ps_")
