/**
 * Errors that are answers: a refusal is made for each request of a flood, and the trace of where is
 * nine tenths of its cost.
 */

/**
 * What `make` makes, without a stack trace where the platform lets that be left out. `make` waits
 * for nothing.
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
