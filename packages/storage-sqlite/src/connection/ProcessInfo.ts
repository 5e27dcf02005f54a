/**
 * A process and the start of its command line. Options are left out, since they may have secrets.
 */
export type ProcessInfo = { readonly pid: number; readonly command: string }
