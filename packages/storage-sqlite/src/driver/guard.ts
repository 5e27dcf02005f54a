/** Wraps the calls of both drivers: checks the values, and translates errors. */
import type { SqlRow } from "./Driver.js"
import { checkValues, parametersOf } from "./values.js"

/** `translated` maps an error of the driver to an error of the port. */
export const guardWith = (translated: (thrown: unknown) => unknown) => {
  const guarded = <A>(run: () => A): A => {
    try {
      return run()
    } catch (thrown) {
      throw translated(thrown)
    }
  }
  /** Wraps a call of a statement. */
  const checked = <A>(sql: string, call: (values: SqlRow) => A): ((...values: SqlRow) => A) => {
    const parameters = parametersOf(sql)
    return (...values) => {
      checkValues(values, parameters)
      try {
        return call(values)
      } catch (thrown) {
        throw translated(thrown)
      }
    }
  }
  return { guarded, checked }
}
