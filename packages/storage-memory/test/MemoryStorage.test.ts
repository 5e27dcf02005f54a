import {
  BY_ID,
  DirectStorage,
  get,
  insert,
  orRefuse,
  type Program,
  pets,
  refuse,
  remove,
  replace,
  Storage,
  Usage,
  type UsageRecord
} from "@petstore/core/storage"
import { Context, Effect, Either, Layer } from "effect"
import { describe, expect, test } from "vitest"
import { MemoryStorage } from "../src/index.js"

const open = () => Effect.runSync(Effect.scoped(Layer.build(MemoryStorage.layer)))
const direct = () => Context.get(open(), DirectStorage)

const rex = {
  name: "Rex",
  foldedName: "rex",
  categoryId: 1,
  status: "available",
  onOrder: 0,
  sold: 0
} as const

describe("opening", () => {
  test("two stores opened with the same layer have nothing in common", () => {
    const [first, second] = [direct(), direct()]
    first.write(() => insert(pets, rex))
    expect(second.read(() => get(pets, 1))).toEqual(Either.right(undefined))
  })

  test("the Effect API and the direct API of one opening are the same store", () => {
    const services = open()
    const stored = Effect.runSync(Context.get(services, Storage).write(() => insert(pets, rex)))
    expect(Context.get(services, DirectStorage).read(() => get(pets, stored.id))).toEqual(
      Either.right(stored)
    )
  })
})

describe("programs", () => {
  test("a program that starts another one on its own storage dies, and what it wrote is undone", () => {
    const storage = direct()
    const nesting = function* (): Program<void> {
      yield* insert(pets, rex)
      storage.write(() => insert(pets, rex))
    }
    expect(() => storage.write(nesting)).toThrow("can't start another one")
    expect(storage.read(() => get(pets, 1))).toEqual(Either.right(undefined))
    expect(storage.write(() => insert(pets, rex))).toMatchObject(Either.right({ id: 1 }))
  })

  test("a program that was run by read and writes all the same dies, and writes nothing", () => {
    const storage = direct()
    const writing = function* (): Generator<never, void, unknown> {
      yield* insert(pets, rex) as Generator<never, unknown, unknown>
    }
    expect(() => storage.read(writing)).toThrow("can't insert")
    expect(storage.read(() => get(pets, 1))).toEqual(Either.right(undefined))
  })

  test("replacing or removing a row that is not there is a defect that names it", () => {
    const storage = direct()
    const absent = { ...rex, id: 7, revision: 1 }
    expect(() =>
      storage.write(function* () {
        yield* replace(pets, absent, {})
      })
    ).toThrow("pets has no row 7")
    expect(() => storage.write(() => remove(pets, absent))).toThrow("pets has no row 7")
  })

  test("a program that refuses is closed: its finally block runs", () => {
    let closed = false
    const refusing = function* (): Program<void, "no"> {
      try {
        yield* refuse<"no">("no")
      } finally {
        closed = true
      }
    }
    expect(direct().write(refusing)).toEqual(Either.left("no"))
    expect(closed).toBe(true)
  })

  test("what a rule refuses comes out as the typed refusal", () => {
    const program = function* (): Program<number, "too many"> {
      yield* insert(pets, rex)
      return yield* orRefuse(Either.left("too many" as const))
    }
    expect(direct().write(program)).toEqual(Either.left("too many"))
  })

  test("a row that does not fit its collection, and an index that is not the collection's, are defects", () => {
    const storage = direct()
    const nameless = { ...rex, id: 0, revision: 1, name: null }
    expect(() =>
      storage.write(function* () {
        yield { op: "insert", collection: pets, row: nameless }
      })
    ).toThrow("pets.name can't be null")
    const foreign = {
      index: { ...BY_ID, name: "by_moon" },
      prefix: [],
      atLeast: null,
      below: null
    }
    expect(() =>
      storage.read(function* () {
        return yield { op: "count", collection: pets, range: foreign }
      })
    ).toThrow("pets has no index by_moon")
  })
})

test("rows are frozen objects with the members of their collection in its order", () => {
  const stored = Either.getOrThrow(direct().write(() => insert(pets, rex)))
  expect(Object.isFrozen(stored)).toBe(true)
  expect({ ...stored }).toStrictEqual({ ...rex, id: 1, revision: 1 })
  expect(Object.keys(stored)).toEqual(["id", "revision", ...Object.keys(pets.columns)])
})

test("a usage record can't be changed through the record that was given or the one that is shown", () => {
  const usage = Context.get(open(), Usage)
  const strikesMs = [1]
  const given: UsageRecord = {
    minuteStartMs: 0,
    minuteUsed: 0,
    dayStartMs: 0,
    dayUsed: 0,
    retryAtMs: 0,
    refusedAtMs: 0,
    strikesMs,
    bannedUntilMs: 0,
    bans: 0,
    lastBanMs: 0
  }
  Effect.runSync(usage.modify("caller", () => [undefined, given]))
  strikesMs.push(2)
  const shown = Effect.runSync(usage.modify("caller", (current) => [current, current ?? given]))
  expect(shown?.strikesMs).toEqual([1])
  expect(Object.isFrozen(shown) && Object.isFrozen(shown?.strikesMs)).toBe(true)
})
