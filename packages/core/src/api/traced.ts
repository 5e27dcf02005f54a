/**
 * Spans for those who look at them: without a tracer of the host's there is none, and nothing is
 * paid for it.
 */
import * as Effect from "effect/Effect"

/** What Effect has where nobody has provided a tracer; its spans go nowhere. */
const NO_TRACER = Effect.runSync(Effect.tracer)

/** What `start` makes, when it is run, within a span of this name. */
export const traced = <A, E>(name: string, start: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.withFiberRuntime((fiber) =>
    fiber.currentTracer === NO_TRACER
      ? start()
      : Effect.withSpan(Effect.suspend(start), name, { captureStackTrace: false })
  )
