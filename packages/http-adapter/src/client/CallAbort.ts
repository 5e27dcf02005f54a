/** One abort signal for one call, out of all signals that may end it. */
import { onAbort } from "@petstore/core/adapter"

/** Aborts one call. The signals that it was made of abort it as well. */
export type CallAbort = {
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** The call is over: removes all listeners. */
  readonly forget: () => void
}

/**
 * Aborts with the reason of the first of these signals that aborts. Unlike the sources of
 * `AbortSignal.any`, which remember every signal made of them, these remember nothing after
 * `forget`. `fetch` listens to its signal until it is garbage collected; this one ends with the
 * call.
 */
export const abortWithAny = (signals: ReadonlyArray<AbortSignal | undefined>): CallAbort => {
  const controller = new AbortController()
  const abort = (reason: unknown): void => controller.abort(reason)
  const forgets = signals.flatMap((signal) =>
    signal === undefined ? [] : [onAbort(signal, () => abort(signal.reason))]
  )
  const forget = (): void => {
    for (const each of forgets) each()
  }
  return { signal: controller.signal, abort, forget }
}
