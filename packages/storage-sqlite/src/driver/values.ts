/** Checks the values of a statement. Drivers differ in what they take in silence. */
import type { SqlRow } from "./Driver.js"

/** Whatever may hold a question mark that is no parameter: text, names and comments. */
const QUOTED = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\//g

/** How many values a statement needs at least: named parameters are not counted. */
export const parametersOf = (sql: string): number => {
  let counted = 0
  for (const [, number] of sql.replace(QUOTED, " ").matchAll(/\?(\d*)/g))
    counted = number === "" ? counted + 1 : Math.max(counted, Number(number))
  return counted
}

/** Throws where values are missing, or are none that SQLite stores. */
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
