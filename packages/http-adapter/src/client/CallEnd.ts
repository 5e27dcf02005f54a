/** One signal for one call, out of all that may end it. */
import { onAbort } from "@petstore/core"

/** What may end one call: its own controller, which the signals it was made of abort as well. */
export type CallEnd = {
  readonly signal: AbortSignal
  readonly abort: (reason: unknown) => void
  /** The call is over: none of the signals remembers anything of it. */
  readonly forget: () => void
}

/**
 * Aborts with the reason of the first of these signals that aborts. `AbortSignal.any` is no
 * alternative: each of its sources remembers every signal made of it for as long as it lives. Here
 * nothing is left after `forget`. `fetch` listens to its signal until it is garbage collected, so it
 * is given this one, which ends with the call.
 */
export const endOfAny = (signals: ReadonlyArray<AbortSignal | undefined>): CallEnd => {
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
