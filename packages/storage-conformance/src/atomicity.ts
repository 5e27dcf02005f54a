/**
 * A program's writes happen all together or not at all, and the program itself sees them as they
 * happen.
 */
import {
  accounts,
  categories,
  count,
  find,
  get,
  insert,
  inventory,
  keys,
  orders,
  pets,
  type Program,
  type ReadProgram,
  refuse,
  remove,
  replace,
  type StorageError
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Claim } from "./Claim.js"
import { expectAnswer, expectDefect, expectRefusal, expectSame } from "./expect.js"
import { EVERY_ROW, idsOf, indexOf, rangeOf, read, rowsOf, write } from "./programs.js"
import * as sample from "./samples.js"
import { type Contents, contents, disagreements } from "./snapshot.js"

/** Some rows in every collection. */
function* fill(): Program<void> {
  yield* sample.foundation()
  for (const number of [1, 2]) {
    yield* insert(categories, sample.category({ name: `Kind ${number}` }))
    yield* insert(pets, sample.pet({ name: `Pet ${number}`, categoryId: number }))
    yield* insert(inventory, sample.stock(number, { quantity: number }))
    yield* insert(orders, sample.order({ petId: number, shipDateMs: number }))
    yield* insert(accounts, sample.account({ name: `Account ${number}` }))
    yield* insert(keys, sample.key({ accountId: number, digest: `${number}${number}` }))
  }
}

/**
 * Inserts, replaces and removes in every collection, some rows several times, and returns the rows
 * that it sees then.
 */
function* changeEverything(): Program<Contents> {
  for (const row of yield* rowsOf(categories, EVERY_ROW)) {
    if (row.id > 3) yield* remove(categories, row)
    else yield* replace(categories, row, { name: "Renamed", description: "" })
  }
  yield* insert(categories, sample.category({ name: "Kind 6" }))
  for (const row of yield* rowsOf(pets, EVERY_ROW)) {
    const next = yield* replace(pets, row, { name: "Other", status: "sold", categoryId: 3 })
    yield* replace(pets, next, { status: "pending" })
  }
  yield* remove(pets, yield* insert(pets, sample.pet()))
  yield* insert(pets, sample.pet({ name: "Pet 3" }))
  for (const row of yield* rowsOf(inventory, EVERY_ROW)) {
    yield* remove(inventory, row)
    yield* insert(inventory, sample.stock(row.id, { quantity: 0, status: "sold" }))
  }
  for (const row of yield* rowsOf(orders, EVERY_ROW)) {
    yield* replace(orders, row, { petId: null, shipDateMs: null, complete: true })
  }
  for (const row of yield* rowsOf(accounts, EVERY_ROW))
    yield* replace(accounts, row, { name: "Renamed" })
  for (const row of yield* rowsOf(keys, EVERY_ROW))
    yield* replace(keys, row, { digest: "33", accountId: 3 })
  return yield* contents()
}

type Ending = (changed: Contents) => Program<void, "no">

const refusing: Ending = () => refuse<"no">("no")

const throwing: Ending = function* () {
  throw new Error("planned by a check")
}

/** Writes in every collection, ends as given, and expects everything to be unchanged. */
const expectNoTrace = (ending: Ending, expectEnd: typeof expectRefused) =>
  Effect.gen(function* () {
    yield* write(fill)
    const before = yield* read(contents)
    let changed: Contents = {}
    yield* expectEnd(
      write(function* () {
        changed = yield* changeEverything()
        yield* ending(changed)
      })
    )
    yield* expectSame("the rows", yield* read(contents), before)
    yield* expectSame(
      "lists that disagree with the rows",
      yield* read(() => disagreements(before, changed)),
      []
    )
  })

const expectRefused = <A, R>(effect: Effect.Effect<A, "no" | StorageError, R>) =>
  expectRefusal("the program", effect, "no")
const expectDied = <A, R>(effect: Effect.Effect<A, "no" | StorageError, R>) =>
  expectDefect("the program", effect)

export const atomicity: ReadonlyArray<Claim> = [
  {
    claim: "a program that succeeds leaves all its writes, and every index has them",
    check: Effect.gen(function* () {
      yield* write(fill)
      const before = yield* read(contents)
      const changed = yield* write(changeEverything)
      yield* expectSame("the rows", yield* read(contents), changed)
      yield* expectSame(
        "lists that disagree with the rows",
        yield* read(() => disagreements(changed, before)),
        []
      )
    })
  },
  {
    claim:
      "a program that refuses after many writes leaves none of them, in any collection or index",
    check: expectNoTrace(refusing, expectRefused)
  },
  {
    claim:
      "a program that throws after many writes leaves none of them, in any collection or index",
    check: expectNoTrace(throwing, expectDied)
  },
  {
    claim: "a program that is stopped by an impossible write leaves none of its earlier writes",
    check: expectNoTrace(
      () => remove(pets, { ...sample.pet(), id: 9_999, revision: 1 }),
      expectDied
    )
  },
  {
    claim: "a refusal returns the very error that the program refused with",
    check: Effect.gen(function* () {
      const reason = { why: "closed today" }
      const outcome = yield* Effect.either(write(() => refuse(reason)))
      yield* expectSame(
        "whether it is the same object",
        Either.isLeft(outcome) && outcome.left === reason,
        true
      )
      const onRead = yield* Effect.either(read(() => refuse(reason)))
      yield* expectSame("the same for read", Either.isLeft(onRead) && onRead.left === reason, true)
    })
  },
  {
    claim: "after a program was rolled back, the next one reads and writes the rows as before",
    check: Effect.gen(function* () {
      yield* write(() => insert(inventory, sample.stock(1, { quantity: 5 })))
      const take = (units: number) =>
        write(function* (): Program<number, "no"> {
          const row = yield* find(inventory, 1, () => "no" as const)
          const next = yield* replace(inventory, row, { quantity: row.quantity - units })
          return next.quantity < 0 ? yield* refuse("no" as const) : next.quantity
        })
      yield* expectRefusal("taking six", take(6), "no")
      yield* expectAnswer("left after taking two", take(2), 3)
      yield* expectRefusal("taking four", take(4), "no")
      yield* expectAnswer("left after taking three", take(3), 0)
    })
  },
  {
    claim:
      "a program sees its own inserts, replacements and removals at once, by id, in scans " +
      "and in counts",
    check: Effect.gen(function* () {
      const available = rangeOf(indexOf(pets, "status"), ["available"])
      const byName = rangeOf(indexOf(pets, "status_name"), ["available"])
      function* look(): ReadProgram<ReadonlyArray<unknown>> {
        return [
          yield* idsOf(pets, available),
          yield* idsOf(pets, byName),
          yield* count(pets, available)
        ]
      }
      yield* write(sample.foundation)
      const seen = yield* write(function* () {
        const rex = yield* insert(pets, sample.pet({ name: "Rex" }))
        yield* insert(pets, sample.pet({ name: "Max" }))
        const inserted = yield* look()
        const renamed = yield* replace(pets, rex, { name: "Ace" })
        const named = yield* look()
        yield* replace(pets, renamed, { status: "sold" })
        const sold = yield* look()
        yield* remove(pets, rex)
        return [inserted, named, sold, yield* get(pets, rex.id), yield* idsOf(pets, EVERY_ROW)]
      })
      yield* expectSame("what it saw", seen, [
        [[1, 2], [2, 1], 2],
        [[1, 2], [1, 2], 2],
        [[2], [2], 1],
        undefined,
        [2]
      ])
    })
  }
]
