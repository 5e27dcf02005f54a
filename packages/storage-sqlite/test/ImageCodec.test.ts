import { RECORD_KINDS } from "@petstore/core"
import { changes, type Column, type Image, RECORD_COLLECTIONS } from "@petstore/core/storage"
import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { imageCodecOf } from "../src/codec/ImageCodec.js"

const codec = imageCodecOf(changes.columns.after)

const KINDS = RECORD_KINDS.map((kind) => RECORD_COLLECTIONS[kind])

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const text = fc.oneof(fc.string(), fc.constantFrom("Goldie", "goldie", "ÄTNA", "ätna"))

/** What a column can have, and of one with few values also another. */
const valueOf = ({ type, values, optional }: Column) =>
  fc.oneof(
    type === "integer" ? fc.integer() : type === "boolean" ? fc.boolean() : text,
    ...(values ?? []).map((value) => fc.constant(value)),
    ...(optional === true ? [fc.constant(null)] : [])
  )

/** Rows of the shop, and of no collection. */
const images: fc.Arbitrary<Image> = fc.oneof(
  ...KINDS.map(({ columns }) => {
    const described: ReadonlyArray<readonly [string, Column]> = Object.entries(columns)
    return fc.record({
      id,
      revision: id,
      ...Object.fromEntries(described.map(([name, column]) => [name, valueOf(column)]))
    })
  }),
  fc.record({ id, revision: id, other: text })
)

/** One of the collections, and a number that stands for none. */
const kinds = fc.integer({ min: -1, max: KINDS.length })

test("a row is read as it was written, whatever is in it and of whatever collection it is told to be", () => {
  fc.assert(
    fc.property(images, kinds, (image, kind) => {
      expect(codec.read(codec.write(image, kind))).toEqual(image)
    })
  )
})

test("a row of the shop takes no room for names, nor for what its table does not store", () => {
  const pet = {
    name: "Goldie",
    foldedName: "goldie",
    categoryId: 1,
    status: "sold",
    onOrder: 0,
    sold: 3
  }
  expect(codec.write({ id: 7, revision: 2, ...pet }, 0)).toBe('[0,7,2,"Goldie",null,1,2,0,3]')
})

test("of two collections with the same columns, a row is of the one that its kind tells", () => {
  const text = { type: "text" } as const
  const named = { key: "assigned", columns: { name: text }, indexes: [] } as const
  const twins = imageCodecOf({
    type: "image",
    imageOf: {
      column: "kind",
      collections: [
        { ...named, name: "dogs" },
        { ...named, name: "cats" }
      ]
    }
  })
  const row = { id: 1, revision: 1, name: "Rex" }
  expect([0, 1].map((kind) => twins.write(row, kind))).toEqual(['[0,1,1,"Rex"]', '[1,1,1,"Rex"]'])
  expect(twins.read('[1,1,1,"Rex"]')).toEqual(row)
})
