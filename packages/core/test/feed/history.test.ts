import { Effect, Either } from "effect"
import { describe, expect, test } from "vitest"
import { type HistoryQuery, historyOf } from "../../src/feed/history.js"
import type { ChangeRow } from "../../src/shop/change/rows.js"
import { drive } from "../../src/engine/program/drive.js"
import type { ReadProgram, ReadRequest } from "../../src/engine/program/Program.js"

const change = (id: number, recordId: number, kind: ChangeRow["kind"] = "pet"): ChangeRow => ({
  id,
  revision: 1,
  atMs: 0,
  type: `${kind}.updated` as ChangeRow["type"],
  kind,
  recordId,
  accountId: null,
  requestId: null,
  before: null,
  after: null
})

/**
 * Changes from the first to the last: those that are named are of pet 7, the others of other pets.
 */
const kept = (first: number, last: number, ...ofSeven: ReadonlyArray<number>): Array<ChangeRow> =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at).map((id) =>
    change(id, ofSeven.includes(id) ? 7 : 1_000 + (id % 50))
  )

/** A feed that reads its rows plainly, and records the ranges that were scanned. */
const feedOf = (rows: Array<ChangeRow>) => {
  const looks: Array<readonly [number, number]> = []
  const answer = (request: ReadRequest): unknown => {
    if (request.op !== "scan") throw new Error(`a history asks for a ${request.op}`)
    const { range, descending, limit } = request
    const [atLeast, below] = [
      Number(range.atLeast ?? 0),
      Number(range.below ?? Number.POSITIVE_INFINITY)
    ]
    const [recordId, kind] = range.prefix
    if (recordId !== undefined) looks.push([atLeast, below])
    const found = rows.filter(
      (row) =>
        row.id >= atLeast &&
        row.id < below &&
        (recordId === undefined || (row.recordId === recordId && row.kind === kind))
    )
    return (descending ? found.toReversed() : found).slice(0, limit)
  }
  const read = <A>(program: () => ReadProgram<A>) =>
    Effect.sync(() =>
      Either.getOrThrow(
        drive(program(), (request) => {
          if (request.op === "get" || request.op === "scan" || request.op === "count")
            return answer(request)
          throw new Error("a history only reads")
        })
      )
    )
  const history = async (asked: Partial<HistoryQuery> = {}) => {
    const rows = await Effect.runPromise(
      historyOf(read, {
        kind: "pet",
        recordId: 7,
        before: Number.MAX_SAFE_INTEGER,
        limit: 100,
        ...asked
      })
    )
    return rows.map(({ id }) => id)
  }
  return { looks, history }
}

describe("the history of a record", () => {
  test("is found in all stored changes, block by block, with none lost or repeated between blocks", async () => {
    const { looks, history } = feedOf(kept(101, 25_100, 101, 5_100, 5_101, 15_100, 15_101, 25_100))
    expect(await history()).toEqual([101, 5_100, 5_101, 15_100, 15_101, 25_100])
    expect(looks).toEqual([
      [15_101, 25_101],
      [5_101, 15_101],
      [-4_899, 5_101]
    ])
  })

  test("is looked for no further back than it takes to have as many as were asked for", async () => {
    const { looks, history } = feedOf(kept(1, 25_000, 3, 14_000, 16_000, 24_000))
    expect(await history({ limit: 2 })).toEqual([16_000, 24_000])
    expect(looks).toHaveLength(1)
    expect(await history({ limit: 3 })).toEqual([14_000, 16_000, 24_000])
  })

  test("before a place has what is older than that, and nothing where nothing older is kept", async () => {
    const { history } = feedOf(kept(500, 12_000, 500, 600, 12_000))
    expect(await history({ before: 12_000 })).toEqual([500, 600])
    expect(await history({ before: 600 })).toEqual([500])
    expect(await history({ before: 500 })).toEqual([])
    expect(await history({ before: 0 })).toEqual([])
    expect(await history({ before: 99_999 })).toEqual([500, 600, 12_000])
  })

  test("continues if the oldest changes are deleted in the meantime, and has only its own kind of record", async () => {
    const rows = kept(1, 30_000, 2, 15_000, 29_000)
    rows.push(change(30_001, 7, "order"))
    const { history } = feedOf(rows)
    const asked = history()
    rows.splice(0, 12_000)
    expect(await asked).toEqual([15_000, 29_000])
    expect(await history({ kind: "order" })).toEqual([30_001])
  })

  test("of an empty feed is empty", async () => {
    expect(await feedOf([]).history()).toEqual([])
  })
})
