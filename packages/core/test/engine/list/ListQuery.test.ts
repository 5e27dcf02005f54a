import { Either } from "effect"
import { describe, expect, test } from "vitest"
import { refersTo } from "../../../src/engine/list/Filter.js"
import { planList } from "../../../src/engine/list/ListQuery.js"
import { categoryListing } from "../../../src/shop/category/operations.js"
import { inventoryListing } from "../../../src/shop/inventory/operations.js"
import { orderListing } from "../../../src/shop/order/operations.js"

describe("a list is refused where it is declared", () => {
  test("by a sort that no index has", () => {
    const sorts = { ...inventoryListing.sorts, sold: "sold" }
    expect(() => planList({ ...inventoryListing, sorts })).toThrow(
      "inventory has no index that is sorted by sold"
    )
  })

  test("by a sort that no index has together with a filter", () => {
    const indexes = orderListing.collection.indexes.filter(
      ({ name }) => name !== "pet_complete_ship_date"
    )
    const collection = { ...orderListing.collection, indexes }
    expect(() => planList({ ...orderListing, collection })).toThrow(
      "orders has no index on petId that is sorted by shipDateMs"
    )
  })

  test("by a filter that no index has", () => {
    const filters = { ...categoryListing.filters, about: refersTo("description") }
    expect(() => planList({ ...categoryListing, filters })).toThrow(
      "categories has no index on description that is sorted by id"
    )
  })
})

test("the error for another order than that of a range names the sort that is left", () => {
  const refusal = Either.flip(planList(categoryListing)({ name: "n", sort: "id" }))
  expect(Either.getOrThrow(refusal)).toMatchObject({
    parameter: "sort",
    expected: expect.stringMatching(/^name, -name or no sort with these filters/)
  })
  const query = { shipDateFrom: "2026-01-01T00:00:00Z", sort: "id" }
  expect(Either.getOrThrow(Either.flip(planList(orderListing)(query)))).toMatchObject({
    expected: expect.stringMatching(/^shipDate, -shipDate or no sort with these filters/)
  })
  const withoutName = { ...categoryListing, sorts: { id: "id" } }
  expect(
    Either.getOrThrow(Either.flip(planList(withoutName)({ name: "n", sort: "id" })))
  ).toMatchObject({ expected: expect.stringMatching(/^no sort with these filters/) })
})
