/**
 * Creates errors without a stack trace. Refusals are expected results under load, and the trace is
 * most of their cost.
 */

/**
 * The error that `make` returns, without a stack trace if the platform allows it. `make` must be
 * synchronous.
 */
export const withoutStack = <A>(make: () => A): A => {
  const depth: unknown = Reflect.get(Error, "stackTraceLimit")
  Reflect.set(Error, "stackTraceLimit", 0)
  try {
    return make()
  } finally {
    Reflect.set(Error, "stackTraceLimit", depth)
  }
}
