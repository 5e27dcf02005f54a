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
 * Aborts with the reason of the first of these signals that does. Unlike `AbortSignal.any`, of which each signal keeps
 * something for as long as it lives, nothing is left once the call is forgotten; and whatever waits for `signal`,
 * as `fetch` does until it is collected, waits for one that ends with the call.
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
