/** What an acknowledged write survives. */

/**
 * `full`: an acknowledged write survives a power cut. `relaxed`: it survives the end of the
 * process; a power cut may lose the last writes.
 */
export type Durability = "full" | "relaxed"
