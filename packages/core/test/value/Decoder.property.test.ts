import { Either, FastCheck as fc, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { KeyEnd, KeyRotation, NewKey } from "../../src/access/key/ApiKey.js"
import { NewAccount, PlanChoice } from "../../src/access/account/Account.js"
import { Category, CategoryPatch, NewCategory } from "../../src/shop/category/Category.js"
import { decoder } from "../../src/value/Decoder.js"
import { InventoryItem, InventoryUpdate } from "../../src/shop/inventory/InventoryItem.js"
import { NewOrder, Order, OrderPatch } from "../../src/shop/order/Order.js"
import { NewPet, Pet, PetPatch } from "../../src/shop/pet/Pet.js"
import type { Fields, Struct } from "../../src/value/Struct.js"
import { recordSchema } from "../../src/schema/schemaOf.js"
import { NewWebhook, Replay, SecretRotation, WebhookPatch } from "../../src/webhook/Webhook.js"

/** Values at the edges of what some part takes, and of every wrong type. */
const TEXTS = [
  "available",
  "sold",
  "free",
  "Rex",
  "",
  " ",
  "\ud800",
  "Rex\u0000",
  "x".repeat(200),
  "🐕".repeat(201)
]
const DATES = [
  "2024-02-29T00:00:00Z",
  "2023-02-29T00:00:00Z",
  "2024-01-01T00:00:00",
  "2024-01-01",
  "0"
]
const COUNTS = [0, -0, 1, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 366 * 86_400_000, 366 * 86_400_000 + 1]
const LARGE = [2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, Number.POSITIVE_INFINITY]
const OTHERS = [null, undefined, true, false, {}]
const LISTS = [[], [1], ["pet.created", "pet.created"], ["pet.created", "sold"], Array(1)]
const edge = fc.constantFrom<unknown>(...TEXTS, ...DATES, ...COUNTS, ...LARGE, ...OTHERS, ...LISTS)
const value = fc.oneof(
  edge,
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.double({ noNaN: true })
)

/** As `JSON.parse` makes them: every member an own one, `__proto__` too. */
const objectOf = (members: ReadonlyArray<readonly [string, unknown]>): unknown => {
  const made = {}
  for (const [name, given] of members) {
    Object.defineProperty(made, name, {
      value: given,
      enumerable: true,
      configurable: true,
      writable: true
    })
  }
  return made
}

/** What each part takes, so that whole records come out right often enough. */
const GOOD: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  text: ["Rex", "x".repeat(200), "é🐕"],
  integer: [1, 7, 2 ** 31 - 1],
  boolean: [true, false],
  enumeration: ["available", "pending", "free", "enterprise"],
  subset: [["pet.created"], ["order.placed", "pet.updated"]],
  dateTime: ["2024-02-29T23:59:59.123+01:00", "1970-01-01T00:00:00Z"],
  nullable: [null],
  anything: [5, null]
}

/**
 * Values near the shape: its own members, now and then absent or with another value, and rarely
 * another member.
 */
const near = ({ fields }: Struct<Fields>): fc.Arbitrary<unknown> => {
  const named = Object.entries(fields).map(([name, member]) => {
    const { of } = member.of === "optional" ? member.field : member
    const good = fc.constantFrom(...(GOOD[of] ?? []))
    const given = fc.oneof({ arbitrary: good, weight: 6 }, value)
    return fc.option(
      given.map((each) => [name, each] as const),
      { freq: 6, nil: undefined }
    )
  })
  const strange = fc.constantFrom("__proto__", "constructor", "stauts", "\ud800", "y".repeat(90))
  const more = fc.option(fc.tuple(strange, value), { freq: 9, nil: undefined })
  return fc
    .tuple(...named, fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, more))
    .map((members) => objectOf(members.filter((each) => each !== undefined)))
}

const STRUCTS: ReadonlyArray<Struct<Fields>> = [
  NewPet,
  Pet,
  PetPatch,
  NewCategory,
  Category,
  CategoryPatch,
  NewOrder,
  Order,
  OrderPatch,
  InventoryUpdate,
  InventoryItem,
  NewKey,
  KeyRotation,
  KeyEnd,
  NewAccount,
  PlanChoice,
  NewWebhook,
  WebhookPatch,
  SecretRotation,
  Replay
]

describe("a compiled decoder", () => {
  it.each(STRUCTS.map((struct) => [struct.identifier, struct] as const))(
    "of %s takes what its schema takes, to the same value",
    (_, struct) => {
      const compiled = decoder(struct)
      const oracle = Schema.decodeUnknownEither(Schema.asSchema(recordSchema(struct)), {
        onExcessProperty: "error"
      })
      let taken = 0
      fc.assert(
        fc.property(fc.oneof({ arbitrary: near(struct), weight: 9 }, value), (input) => {
          const expected = oracle(input)
          const got = compiled(input)
          expect(Either.isRight(got)).toBe(Either.isRight(expected))
          if (Either.isLeft(got) || Either.isLeft(expected)) return
          taken++
          expect(got.right).toStrictEqual(expected.right)
          expect(Object.keys(got.right)).toEqual(Object.keys(expected.right))
        }),
        { numRuns: 500 }
      )
      // A property that only ever sees refusals shows little.
      expect(taken).toBeGreaterThan(25)
    }
  )
})
