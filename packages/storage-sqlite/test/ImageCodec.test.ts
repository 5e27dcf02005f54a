import { categories, type Column, type Image, inventory, orders, pets } from "@petstore/core"
import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { imageCodec } from "../src/codec/ImageCodec.js"

const codec = imageCodec()

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
  ...[pets, categories, orders, inventory].map(({ columns }) => {
    const described: ReadonlyArray<readonly [string, Column]> = Object.entries(columns)
    return fc.record({
      id,
      revision: id,
      ...Object.fromEntries(described.map(([name, column]) => [name, valueOf(column)]))
    })
  }),
  fc.record({ id, revision: id, other: text })
)

test("a row is read as it was written, whatever is in it", () => {
  fc.assert(
    fc.property(images, (image) => {
      expect(codec.read(codec.write(image))).toEqual(image)
    })
  )
})

test("a row of the shop takes no room for names, nor for what its table does not store", () => {
  const pet = { name: "Goldie", foldedName: "goldie", categoryId: 1, status: "sold", onOrder: 0, sold: 3 }
  expect(codec.write({ id: 7, revision: 2, ...pet })).toBe('[0,7,2,"Goldie",null,1,2,0,3]')
})
