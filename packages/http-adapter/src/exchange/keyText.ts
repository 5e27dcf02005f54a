/** Texts of keys where they do not belong: nothing that is answered or logged repeats one. */

const KEY_TEXT = /ps_[0-9A-Za-z]{4,}/g

/** The text, with whatever looks like a key, or like the beginning of one, cut to its prefix. */
export const withoutKeys = (text: string): string => text.replace(KEY_TEXT, "ps_…")

/** Whether a text could hold a key, however short the piece. */
export const mayHoldKey = (text: string): boolean => text.includes("ps_")
