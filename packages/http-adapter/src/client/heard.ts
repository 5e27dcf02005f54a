/** Waits for what may never come: within a time, and only until a signal aborts. */

/** A promise that rejects when the signal aborts, and never is anything else. */
export const endOf = (signal: AbortSignal | undefined) => {
  let forget: () => void = () => undefined
  const promise = new Promise<never>((_, reject) => {
    const end = () => reject(signal?.reason)
    signal?.addEventListener("abort", end)
    forget = () => signal?.removeEventListener("abort", end)
  })
  promise.catch(() => undefined)
  return { promise, forget }
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
export async function* heard(
  pieces: AsyncIterable<string>,
  silenceMs: number,
  ended: Promise<never>
): AsyncGenerator<string> {
  const iterator = pieces[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator.next().catch(() => undefined)
      const step = await within(silenceMs, Promise.race([next, ended]))
      if (step === undefined || step.done === true) return
      yield step.value
    }
  } finally {
    // Not waited for: it may be waiting for the next piece.
    iterator.return?.().catch(() => undefined)
  }
}
