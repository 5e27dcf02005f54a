/**
 * Calls that a signal can abort: checked before a call starts, and again when its transaction
 * starts.
 */
import type { Engine } from "../Engine.js"
import type { Program } from "../engine/program/Program.js"
import { refuse } from "../engine/program/requests.js"
import type { Signal } from "../value/Signal.js"

/**
 * The engine with programs that fail with the reason of the signal if they start after it was
 * aborted. A write that is queued is aborted; one that has started runs to its end.
 */
export const withSignal = (engine: Engine, signal: Signal): Engine => {
  const { storage, direct } = engine
  const watched =
    <A, E>(start: () => Program<A, E>) =>
    () =>
      unlessAborted(signal, start)
  return {
    ...engine,
    storage: { read: storage.read, write: (start) => storage.write(watched(start)) },
    direct: direct && {
      ...direct,
      write: (start) => direct.write(watched(start)),
      submit: (start) => direct.submit(watched(start))
    }
  }
}

function* unlessAborted<A, E>(signal: Signal, start: () => Program<A, E>): Program<A, E> {
  // The reason is not among the errors of the program: like a thrown value, it has no type.
  if (signal.aborted) yield* refuse(signal.reason as never)
  return yield* start()
}
