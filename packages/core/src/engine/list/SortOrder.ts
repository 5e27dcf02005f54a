/**
 * The order of a list: one column and its direction, then the id and its direction. Callers write
 * `name`, `-name` or `name,-id`.
 */
import * as Either from "effect/Either"
import { type Row, type Value, valueOf } from "../program/Collection.js"
import { compareValues } from "../program/compareValues.js"
import { echo } from "../../value/echo.js"
import { InvalidParameter } from "../../value/errors.js"

export type SortOrder = {
  readonly column: string
  readonly descending: boolean
  readonly idDescending: boolean
}

/** The names that callers sort by, and their columns. */
export type Sorts = { readonly [name: string]: string }

/**
 * Parses a sort order such as `name,-id`. Ties are ordered by ascending id unless the id is named.
 * No name may be repeated.
 */
export const parseSortOrder = (
  sorts: Sorts,
  text: string
): Either.Either<SortOrder, InvalidParameter> => {
  const names = Object.keys(sorts)
  const parts = text
    .split(",")
    .map((part) => ({ name: part.replace(/^-/, ""), descending: part.startsWith("-") }))
  const [first, second] = parts
  const exist = parts.every((part) => Object.hasOwn(sorts, part.name))
  const distinct = new Set(parts.map((part) => part.name)).size === parts.length
  if (!exist || !distinct || first === undefined || parts.length > 2) {
    return Either.left(
      new InvalidParameter({
        parameter: "sort",
        expected:
          `${names.join(" or ")}, each with a leading "-" for descending, such as ` +
          `${names.at(-1)} or -${names[0]}`,
        got: echo(text)
      })
    )
  }
  const column = sorts[first.name] ?? "id"
  const idDescending =
    column === "id" ? first.descending : second !== undefined && second.descending
  return Either.right({ column, descending: first.descending, idDescending })
}

/**
 * Every text that `parseSortOrder` takes: each name in either direction, alone and before
 * each other name.
 */
export const orderTexts = (sorts: Sorts): ReadonlyArray<string> => {
  const names = Object.keys(sorts)
  const either = (name: string) => [name, `-${name}`]
  const pairs = names.flatMap((first) =>
    names.filter((name) => name !== first).map((second) => [first, second] as const)
  )
  return [
    ...names.flatMap(either),
    ...pairs.flatMap(([first, second]) =>
      either(first).flatMap((left) => either(second).map((right) => `${left},${right}`))
    )
  ]
}

/** Compares two positions of a list, for `Array.sort`. */
export const comparePlaces = (
  order: SortOrder,
  left: { readonly value: Value; readonly id: number },
  right: { readonly value: Value; readonly id: number }
): number => {
  const byValue = compareValues(left.value, right.value)
  return byValue !== 0
    ? order.descending
      ? -byValue
      : byValue
    : order.idDescending
      ? right.id - left.id
      : left.id - right.id
}

/** The position of a row in a list of this order. */
export const placeOf = (
  order: SortOrder,
  row: Row
): { readonly value: Value; readonly id: number } => ({
  value: order.column === "id" ? row.id : valueOf(row, order.column),
  id: row.id
})
