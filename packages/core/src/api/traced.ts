/** Spans for tracers of the host. Without a tracer there are none, at no cost. */
import * as Effect from "effect/Effect"

/** Effect's default tracer, which drops its spans. */
const NO_TRACER = Effect.runSync(Effect.tracer)

/** Runs the effect of `start` in a span of this name. */
export const traced = <A, E>(name: string, start: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.withFiberRuntime((fiber) =>
    fiber.currentTracer === NO_TRACER
      ? start()
      : Effect.withSpan(Effect.suspend(start), name, { captureStackTrace: false })
  )
