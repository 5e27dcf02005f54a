/**
 * A process, and how it was started, without what may be secret: the program and its first words.
 */
export type ProcessInfo = { readonly pid: number; readonly command: string }
