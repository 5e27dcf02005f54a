/**
 * What docs/openapi.md lists as refused though no schema can say so: the schemas take it, and the
 * service answers as listed.
 */
import { openApiDocument } from "@petstore/http-adapter"
import { afterEach, beforeEach, expect, it } from "vitest"
import { documentCheck } from "./DocumentCheck.js"
import { type ServedShop, servedShop } from "./ServedShop.js"

const check = documentCheck(openApiDocument())
const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })

let shop: ServedShop

beforeEach(async () => {
  shop = await servedShop()
})

afterEach(() => shop.close())

const post = (target: string, body: string) =>
  shop.send({ method: "POST", target, headers: { "content-type": "application/json" }, body })

it.each([
  ["a lone surrogate", "/categories", "NewCategory", '{"name":"\\ud83d"}', "422 validation_failed"],
  [
    "an instant of the year 0",
    "/store/orders",
    "NewOrder",
    '{"shipDate":"0000-01-01T00:00:00Z"}',
    "422 validation_failed"
  ],
  [
    "an instant in the year 0 in UTC",
    "/store/orders",
    "NewOrder",
    '{"shipDate":"0001-01-01T00:00:00+14:00"}',
    "422 validation_failed"
  ],
  [
    "an instant after the year 9999 in UTC",
    "/store/orders",
    "NewOrder",
    '{"shipDate":"9999-12-31T23:59:59-01:00"}',
    "422 validation_failed"
  ],
  [
    "a leap second",
    "/store/orders",
    "NewOrder",
    '{"shipDate":"1990-12-31T23:59:60Z"}',
    "422 validation_failed"
  ],
  [
    "a whole number with a fraction",
    "/store/orders",
    "NewOrder",
    '{"quantity":1.0}',
    "422 validation_failed"
  ],
  [
    "a whole number with an exponent",
    "/store/orders",
    "NewOrder",
    '{"quantity":1e1}',
    "422 validation_failed"
  ],
  [
    "a member that is there twice",
    "/categories",
    "NewCategory",
    '{"name":"a","name":"b"}',
    "400 invalid_json"
  ]
])(
  "%s is taken by the schema and refused by the service",
  async (_, target, name, body, refusal) => {
    expect(check.isValid(schema(name), JSON.parse(body))).toBe(true)
    const { status, text } = await post(target, body)
    expect(`${status} ${JSON.parse(text).code}`).toBe(refusal)
  }
)

it("a byte order mark before the body is refused", async () => {
  const { status, text } = await post("/categories", '\ufeff{"name":"a"}')
  expect(`${status} ${JSON.parse(text).code}`).toBe("400 invalid_json")
})
