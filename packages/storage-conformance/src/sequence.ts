/**
 * The feed of changes: numbers without gaps, in the order in which they become visible, and whole
 * rows as values.
 */
import {
  append,
  type ChangeRow,
  changes,
  count,
  get,
  HISTORY_INDEX,
  insert,
  type Program,
  type Range,
  refuse,
  remove,
  scan
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import { atOnce, type Bounds, EVERY_ROW, idsOf, rangeOf, read, write } from "./programs.js"
import * as sample from "./samples.js"

const upTo = (last: number): ReadonlyArray<number> =>
  Array.from({ length: last }, (_, at) => at + 1)

/** Appends two changes, and then refuses, throws or succeeds, by its number. */
function* appendSome(number: number): Program<void, "no"> {
  yield* insert(changes, sample.change({ recordId: number }))
  yield* insert(changes, sample.change({ recordId: number }))
  if (number % 3 === 0) yield* refuse("no" as const)
  if (number % 3 === 1) throw new Error("planned by a check")
}

/** Reads the changes after the last one it has seen, repeatedly, until it sees that one. */
const readAlong = (last: number) =>
  Effect.gen(function* () {
    const found: Array<number> = []
    while ((found.at(-1) ?? 0) < last) {
      const after = found.at(-1) ?? 0
      const rows = yield* read(() =>
        scan(changes, EVERY_ROW, { limit: 7, after: { value: after, id: after } })
      )
      found.push(...rows.map(({ id }) => id))
      yield* Effect.yieldNow()
    }
    return found
  })

const image = { ...sample.pet({ name: 'Rex \u{1f980} "quoted"\n' }), id: 7, revision: 2 ** 53 - 1 }
const orderImage = { ...sample.order({ shipDateMs: -1 }), id: 8, revision: 3 }

export const sequence: ReadonlyArray<Claim> = [
  {
    claim:
      "of many concurrent programs that append changes, those that succeed get 1, 2, 3 and " +
      "so on, whatever refuses or throws between them",
    check: Effect.gen(function* () {
      yield* atOnce(48, (number) => Effect.exit(write(() => appendSome(number))))
      yield* expectSame("the sequence", yield* read(() => idsOf(changes, EVERY_ROW)), upTo(32))
      yield* write(() => insert(changes, sample.change()))
      yield* expectSame(
        "the sequence after one more",
        yield* read(() => idsOf(changes, EVERY_ROW)),
        upTo(33)
      )
    })
  },
  {
    claim:
      "a reader that continues after the last change it has seen misses none that is " +
      "appended in the meantime",
    check: Effect.gen(function* () {
      const writing = atOnce(40, () => write(() => insert(changes, sample.change())))
      const [seen] = yield* Effect.all([readAlong(40), writing], { concurrency: "unbounded" })
      yield* expectSame("what it has seen", seen, upTo(40))
    })
  },
  {
    claim:
      "an insert that needs no row back returns the row or its id, and stores the row like " +
      "any other",
    check: Effect.gen(function* () {
      const ids = yield* write(function* () {
        const first = yield* append(changes, sample.change({ recordId: 7 }))
        return [first, yield* append(changes, sample.change({ recordId: 8 }))]
      })
      yield* expectSame("the ids", ids, [1, 2])
      yield* expectSame("the second", yield* read(() => get(changes, 2)), {
        ...sample.change({ recordId: 8 }),
        id: 2,
        revision: 1
      })
    })
  },
  {
    claim:
      "a whole row that is stored as a value is read as it was written, and can't be changed " +
      "from outside",
    check: Effect.gen(function* () {
      const given = { ...image }
      const appended = yield* write(() =>
        insert(changes, sample.change({ before: given, after: { ...orderImage } }))
      )
      yield* Effect.ignore(Effect.try(() => Object.assign(given, { name: "tampered" })))
      yield* Effect.ignore(Effect.try(() => Object.assign(appended.after ?? {}, { held: 9 })))
      const found = yield* read(() => get<ChangeRow>(changes, 1))
      yield* expectSame("the row before", found?.before, image)
      yield* expectSame("the row after", found?.after, orderImage)
      const outcome = yield* Effect.either(
        write(function* (): Program<void, "no"> {
          yield* remove(changes, appended)
          yield* refuse("no" as const)
        })
      )
      yield* expectSame("whether removing was refused", Either.isLeft(outcome), true)
      yield* expectSame(
        "the row before, after a removal was rolled back",
        (yield* read(() => get<ChangeRow>(changes, 1)))?.before,
        image
      )
    })
  },
  {
    claim:
      "the changes of one record are found among all others, between bounds and in both directions",
    check: Effect.gen(function* () {
      yield* write(function* () {
        for (let number = 1; number <= 30; number++)
          yield* insert(
            changes,
            sample.change({ recordId: number % 3, kind: number % 2 === 0 ? "pet" : "order" })
          )
      })
      const ofPetOne = (bounds: Bounds = {}) => rangeOf(HISTORY_INDEX, [1, "pet"], bounds)
      const ids = (range: Range, descending = false) =>
        read(() => idsOf(changes, range, descending))
      yield* expectSame("all of them", yield* ids(ofPetOne()), [4, 10, 16, 22, 28])
      yield* expectSame("the newest first", yield* ids(ofPetOne(), true), [28, 22, 16, 10, 4])
      yield* expectSame(
        "from 10 to 28",
        yield* ids(ofPetOne({ atLeast: 10, below: 28 })),
        [10, 16, 22]
      )
      yield* expectSame(
        "of a record without any",
        yield* ids(rangeOf(HISTORY_INDEX, [3, "pet"])),
        []
      )
      yield* expectSame(
        "their count",
        yield* read(() => count(changes, ofPetOne({ below: 22 }))),
        3
      )
      const page = read(() =>
        scan(changes, ofPetOne(), { limit: 2, descending: true, after: { value: 22, id: 22 } })
      )
      yield* expectSame(
        "a page of them",
        (yield* page).map(({ id }) => id),
        [16, 10]
      )
    })
  }
]
