/** What an acknowledged write is worth. */

/**
 * `full`: what is acknowledged survives a power cut. `relaxed`: it survives the end of the process;
 * a power cut may take the last moments.
 */
export type Durability = "full" | "relaxed"
