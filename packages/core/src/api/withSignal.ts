/**
 * Calls that a signal can call off: checked before a call begins, and again when its transaction
 * does.
 */
import type { Engine } from "../Engine.js"
import type { Program } from "../engine/program/Program.js"
import { refuse } from "../engine/program/requests.js"
import type { Signal } from "../value/Signal.js"

/**
 * The engine with programs that refuse, with the signal's reason, when they are started after it
 * was aborted. A write that waits for its turn is so called off while it waits; one that has begun
 * is finished, and answered as it went.
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
  // The reason is no refusal of the program: it goes past the types, as what is thrown does.
  if (signal.aborted) yield* refuse(signal.reason as never)
  return yield* start()
}
