/** What both drivers do around each call: check its values, and translate what it throws. */
import type { SqlRow } from "./Driver.js"
import { checkValues, parametersOf } from "./values.js"

/** `translated` makes of what a driver throws what the port says. */
export const guardWith = (translated: (thrown: unknown) => unknown) => {
  const guarded = <A>(run: () => A): A => {
    try {
      return run()
    } catch (thrown) {
      throw translated(thrown)
    }
  }
  /** The call of a statement. */
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
