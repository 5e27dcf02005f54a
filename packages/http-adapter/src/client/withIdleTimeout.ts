/** Waits for what may never come: within a time, and only until a signal aborts. */
import { onAbort } from "@petstore/core"
import { clearTimeout, setTimeout } from "../timers.js"

/** A promise that rejects when the signal aborts, and never is anything else. */
export const endOf = (signal: AbortSignal | undefined) => {
  let forget: () => void = () => undefined
  const promise = new Promise<never>((_, reject) => {
    if (signal !== undefined) forget = onAbort(signal, () => reject(signal.reason))
  })
  promise.catch(() => undefined)
  return { promise, forget }
}

/** What is promised, unless the signal aborts first: then its reason is thrown. Leaves nothing behind, however often a signal is waited with. */
export const unless = async <A>(signal: AbortSignal | undefined, promise: Promise<A>): Promise<A> => {
  signal?.throwIfAborted()
  const ended = endOf(signal)
  try {
    return await Promise.race([promise, ended.promise])
  } finally {
    ended.forget()
  }
}

/** What is promised, or undefined where it takes longer. */
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

/** The pieces until there are no more, nothing is heard for too long, or the connection breaks: all the same to who comes back. */
export async function* withIdleTimeout(
  pieces: AsyncIterable<string>,
  silenceMs: number,
  signal: AbortSignal | undefined
): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator.next().catch(() => undefined)
      const step = await within(silenceMs, unless(signal, next))
      if (step === undefined || step.done === true) return
      yield step.value
    }
  } finally {
    // Not waited for: it may be waiting for the next piece.
    iterator.return?.().catch(() => undefined)
  }
}
