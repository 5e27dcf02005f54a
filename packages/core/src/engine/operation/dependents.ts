/** What depends on a row: the rows that keep it from being removed, and those removed with it. */
import { anyOf } from "../list/page.js"
import { rangesWhere } from "../list/Selection.js"
import type { Collection, Row, Value } from "../program/Collection.js"
import type { ReadProgram } from "../program/Program.js"

/** A column with ids of a collection. */
type User = {
  readonly collection: Collection<Row>
  readonly column: string
  /** Values of the rows that count, besides the id. */
  readonly where: Readonly<Record<string, Value>>
}

/** What depends on the rows of a collection. */
export type Dependents = {
  readonly users: ReadonlyArray<User>
  /** The collections whose rows have the ids of these. */
  readonly extensions: ReadonlyArray<Collection<Row>>
}

/** What depends on rows of `parent`, by the declarations of all collections. */
export const dependentsOf = (
  parent: Collection<Row>,
  all: ReadonlyArray<Collection<Row>>
): Dependents => {
  const extensions = all.filter(({ idOf }) => idOf === parent)
  const hasIds = (collection: Collection<Row> | undefined): boolean =>
    collection === parent || extensions.some((extension) => extension === collection)
  const users = all.flatMap((collection) =>
    Object.entries(collection.columns).flatMap(([column, { references, holds }]): Array<User> => {
      if (hasIds(references?.collection)) return [{ collection, column, where: {} }]
      return holds !== undefined && hasIds(holds.collection)
        ? [{ collection, column, where: holds.while }]
        : []
    })
  )
  if (users.length > 0 && parent.inUse === undefined)
    throw new Error(`${parent.name}: no refusal is declared for a removal of a row that is in use`)
  return { users, extensions }
}

/** Whether any row refers to the row with this id, or holds it. */
export function* isInUse({ users }: Dependents, id: number): ReadProgram<boolean> {
  for (const { collection, column, where } of users)
    if (yield* anyOf(collection, rangesWhere(collection, { [column]: id, ...where }))) return true
  return false
}
