import { expect, test } from "vitest"
import { dependentsOf } from "../../../src/engine/operation/dependents.js"
import { type Collection, collectionOf, type Row } from "../../../src/engine/program/Collection.js"
import { hold, integer, reference } from "../../../src/engine/program/columns.js"

type Plain = { readonly id: number; readonly revision: number; readonly size: number }
type Referring = {
  readonly id: number
  readonly revision: number
  readonly parentId: number | null
}

const parents = collectionOf<Plain>()({
  name: "parents",
  key: "assigned",
  columns: { size: integer },
  indexes: [],
  inUse: (id) => `${id} is in use`
})

const sizes = collectionOf<Plain>()({
  name: "sizes",
  key: "given",
  idOf: parents,
  columns: { size: integer },
  indexes: []
})

const referring = (name: string, parentId: object): Collection<Row> =>
  collectionOf<Referring>()({
    name,
    key: "assigned",
    columns: { parentId: { type: "integer", ...parentId } },
    indexes: []
  })

test("rows that refer to a record or hold it are its users, and those with its id its extensions", () => {
  const children = referring("children", reference(parents))
  const guests = referring("guests", hold(parents, { paid: false }))
  const found = dependentsOf(parents, [parents, sizes, children, guests])
  expect(found).toEqual({
    users: [
      { collection: children, column: "parentId", where: {} },
      { collection: guests, column: "parentId", where: { paid: false } }
    ],
    extensions: [sizes]
  })
})

test("rows that refer to an extension are users of the record, which has the same id", () => {
  const children = referring("children", reference(sizes))
  expect(dependentsOf(parents, [parents, sizes, children]).users).toHaveLength(1)
})

test("a record that others refer to must declare the refusal of its removal", () => {
  const children = referring("children", reference(sizes))
  expect(() => dependentsOf(sizes, [children, sizes])).toThrow("sizes: no refusal is declared")
  expect(dependentsOf(sizes, [sizes])).toEqual({ users: [], extensions: [] })
})
