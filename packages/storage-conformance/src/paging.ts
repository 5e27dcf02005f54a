/** Paging by position: no row twice and none left out, whatever happens between two pages. */
import {
  type Collection,
  insert,
  orders,
  pets,
  remove,
  type OrderRow,
  type Position,
  type Row,
  scan,
  valueOf
} from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type { Claim } from "./Claim.js"
import { expectSame } from "./expect.js"
import { EVERY_ROW, idsOf, indexOf, rangeOf, read, rowsOf, write } from "./programs.js"
import * as sample from "./samples.js"

const byDate = rangeOf(indexOf(orders, "complete_ship_date"), [false])
const byName = rangeOf(indexOf(pets, "status_name"), ["available"])
const byStatus = rangeOf(indexOf(pets, "status"), ["available"])

type Range = typeof byDate

const positionOf = (range: Range, row: Row): Position => ({
  value: valueOf(row, range.index.sort),
  id: row.id
})

/** The ids of every page, `between` running after each. */
const pagesOf = <R, E>(
  collection: Collection<Row>,
  range: Range,
  limit: number,
  descending: boolean,
  between: (page: number) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function* () {
    const ids: Array<number> = []
    let after: Position | null = null
    for (let page = 1; page <= 100; page++) {
      const position: Position | null = after
      const rows: ReadonlyArray<Row> = yield* read(() =>
        scan(collection, range, { limit, descending, after: position })
      )
      ids.push(...rows.map((row) => row.id))
      const last = rows.at(-1)
      if (last === undefined) break
      after = positionOf(range, last)
      yield* between(page)
    }
    return ids
  })

/** Seven orders, most of which share their date or have none. */
const sevenOrders = write(function* () {
  for (const shipDateMs of [3, null, 3, 1, null, 3, 3])
    yield* insert(orders, sample.order({ shipDateMs }))
})

const sevenPets = write(function* () {
  for (const name of ["Rex", "Max", "Rex", "Bo", "Max", "Rex", "Rex"])
    yield* insert(pets, sample.pet({ name }))
})

const dated = (shipDateMs: number | null) =>
  write(() => insert(orders, sample.order({ shipDateMs })))

export const paging: ReadonlyArray<Claim> = [
  {
    claim:
      "pages of any size have every row once and in order, also if many share a sort value " +
      "or have none",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* sevenOrders
      yield* sevenPets
      for (const descending of [false, true]) {
        for (const [collection, range] of [
          [orders, byDate],
          [orders, EVERY_ROW],
          [pets, byName],
          [pets, byStatus]
        ] as const) {
          const all = yield* read(() => idsOf<Row>(collection, range, descending))
          yield* expectSame("how many rows", all.length, 7)
          for (const limit of [1, 2, 3, 6, 7, 8]) {
            const ids = yield* pagesOf(collection, range, limit, descending, () => Effect.void)
            yield* expectSame(`pages of ${limit} by ${range.index.name}`, ids, all)
          }
        }
      }
    })
  },
  {
    claim: "rows that are inserted between pages neither repeat nor hide the existing ones",
    check: Effect.gen(function* () {
      yield* sevenOrders
      for (const descending of [false, true]) {
        const before = yield* read(() => idsOf(orders, byDate, descending))
        const ids = yield* pagesOf(orders, byDate, 2, descending, (page) =>
          page > 8 ? Effect.void : Effect.all([dated(null), dated(1), dated(3), dated(4)])
        )
        yield* expectSame(
          "the rows that were there",
          ids.filter((id) => before.includes(id)),
          before
        )
        yield* expectSame("rows given twice", ids.length - new Set(ids).size, 0)
      }
    })
  },
  {
    claim: "a page starts after its position also if the row at that position was removed",
    check: Effect.gen(function* () {
      yield* sevenOrders
      const removeRow = (row: OrderRow) => write(() => remove(orders, row))
      for (const descending of [false, true]) {
        const rows = yield* read(() => scan(orders, byDate, { limit: 20, descending }))
        const [, second, ...rest] = rows
        if (second === undefined) continue
        yield* removeRow(second)
        const next = yield* read(() =>
          scan(orders, byDate, { limit: 20, descending, after: positionOf(byDate, second) })
        )
        yield* expectSame(
          "the page",
          next.map((row) => row.id),
          rest.map((row) => row.id)
        )
      }
    })
  },
  {
    claim: "rows that are removed between pages are missing, and no others are",
    check: Effect.gen(function* () {
      yield* write(sample.foundation)
      yield* sevenPets
      const all = yield* read(() => rowsOf(pets, byName))
      const lastOfPage = (page: number) => all[page * 2 - 1]
      const ids = yield* pagesOf(pets, byName, 2, false, (page) => {
        const row = lastOfPage(page)
        return row === undefined ? Effect.void : write(() => remove(pets, row))
      })
      yield* expectSame(
        "the pets",
        ids,
        all.map((row) => row.id)
      )
    })
  },
  {
    claim: "a position need not have a row: a page starts after it, by sort value and then by id",
    check: Effect.gen(function* () {
      yield* sevenOrders
      const from = (value: number | null, id: number, descending = false) =>
        Effect.map(
          read(() => scan(orders, byDate, { limit: 20, descending, after: { value, id } })),
          (rows) => rows.map((row) => row.id)
        )
      yield* expectSame("after date 2", yield* from(2, 4), [1, 3, 6, 7])
      yield* expectSame("after date 3, id 5", yield* from(3, 5), [6, 7])
      yield* expectSame("after no date, id 3", yield* from(null, 3), [5, 4, 1, 3, 6, 7])
      yield* expectSame("after the end", yield* from(9, 1), [])
      yield* expectSame("down from date 2", yield* from(2, 4, true), [4, 5, 2])
      yield* expectSame("down from date 3, id 5", yield* from(3, 5, true), [3, 1, 4, 5, 2])
      yield* expectSame("down from no date, id 3", yield* from(null, 3, true), [2])
      yield* expectSame("down from the start", yield* from(null, 1, true), [])
    })
  },
  {
    claim: "a position works together with bounds: the page starts after both",
    check: Effect.gen(function* () {
      yield* sevenOrders
      const range = rangeOf(byDate.index, byDate.prefix, { atLeast: 1, below: 3 })
      const from = (value: number | null, id: number, descending: boolean) =>
        Effect.map(
          read(() => scan(orders, range, { limit: 20, descending, after: { value, id } })),
          (rows) => rows.map((row) => row.id)
        )
      yield* expectSame("up from before the bounds", yield* from(null, 2, false), [4])
      yield* expectSame("up from within", yield* from(1, 4, false), [])
      yield* expectSame("down from behind the bounds", yield* from(3, 7, true), [4])
      yield* expectSame("down from within", yield* from(1, 4, true), [])
    })
  }
]
