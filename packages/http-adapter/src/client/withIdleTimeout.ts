/** Bounds waits by a time and by a signal. */
import { onAbort } from "@petstore/core/adapter"
import { clearTimeout, setTimeout } from "../timers.js"

/** A promise that rejects when the signal aborts and never resolves. */
export const rejectOnAbort = (signal: AbortSignal | undefined) => {
  let forget: () => void = () => undefined
  const promise = new Promise<never>((_, reject) => {
    if (signal !== undefined) forget = onAbort(signal, () => reject(signal.reason))
  })
  promise.catch(() => undefined)
  return { promise, forget }
}

/** Throws the reason of the signal if it aborts first. Leaves no listener behind. */
export const unlessAborted = async <A>(
  signal: AbortSignal | undefined,
  promise: Promise<A>
): Promise<A> => {
  signal?.throwIfAborted()
  const abort = rejectOnAbort(signal)
  try {
    return await Promise.race([promise, abort.promise])
  } finally {
    abort.forget()
  }
}

/** Resolves with undefined once the time is over. */
const within = async <A>(ms: number, promise: Promise<A>): Promise<A | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Yields chunks until the stream ends, breaks, or is idle for `silenceMs`. All three end the
 * iteration; the caller reconnects.
 */
export async function* withIdleTimeout(
  chunks: AsyncIterable<string>,
  silenceMs: number,
  signal: AbortSignal | undefined
): AsyncGenerator<string> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator.next().catch(() => undefined)
      const step = await within(silenceMs, unlessAborted(signal, next))
      if (step === undefined || step.done === true) return
      yield step.value
    }
  } finally {
    // Not awaited: the iterator may be waiting for the next chunk.
    iterator.return?.().catch(() => undefined)
  }
}
