/**
 * The members of an `AbortSignal` that core reads. Declared here because core is independent of
 * platforms.
 */
export type Signal = { readonly aborted: boolean; readonly reason: unknown }

/** The members of an `AbortSignal` that are needed to wait for it. */
export type WatchedSignal = Signal & {
  readonly addEventListener: (type: "abort", listener: () => void) => void
  readonly removeEventListener: (type: "abort", listener: () => void) => void
}

/** Throws the reason of the signal if it is aborted. */
export const throwIfAborted = (signal: Signal): void => {
  if (signal.aborted) throw signal.reason
}
