/** Checks the values of a statement, because drivers accept different invalid values. */
import type { SqlRow } from "./Driver.js"

/** Text, names and comments, in which a question mark is no parameter. */
const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\//g

/** The minimum number of values of a statement. Named parameters are not counted. */
export const parametersOf = (sql: string): number => {
  let counted = 0
  for (const [, number] of sql.replace(QUOTED, " ").matchAll(/\?(\d*)/g))
    counted = number === "" ? counted + 1 : Math.max(counted, Number(number))
  return counted
}

/** Throws if values are missing, or if SQLite can't store one of them. */
export const checkValues = (values: SqlRow, parameters: number): void => {
  if (values.length < parameters)
    throw new RangeError(`a statement of ${parameters} parameters got ${values.length} values`)
  for (const value of values)
    if (!isStored(value)) throw new TypeError(`SQLite stores no ${typeof value}`)
}

const isStored = (value: unknown): boolean =>
  typeof value === "number" ||
  typeof value === "string" ||
  value === null ||
  typeof value === "bigint" ||
  value instanceof Uint8Array
