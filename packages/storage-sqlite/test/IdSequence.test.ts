import {
  categories,
  type CategoryRow,
  insert,
  inventory,
  type Program,
  refuse,
  remove
} from "@petstore/core/storage"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect, Either, FastCheck as fc } from "effect"
import { describe, expect, test } from "vitest"
import { verify } from "../src/index.js"
import { aFile, openPorts } from "./aFile.js"

type Ports = Awaited<ReturnType<typeof openPorts>>

const row: Omit<CategoryRow, "id" | "revision"> = { name: "x", foldedName: "x", description: null }

function* adding(): Program<number> {
  return (yield* insert(categories, row)).id
}

function* removing(id: number): Program<void> {
  yield* remove(categories, { ...row, id, revision: 1 })
}

function* trimming(below: number): Program<void> {
  yield { op: "deleteBelow", collection: categories, below }
}

const add = ({ direct }: Ports): number => Either.getOrThrow(direct.write(adding))
const take = ({ direct }: Ports, id: number): void =>
  Either.getOrThrow(direct.write(() => removing(id)))

/** What is noted of ids that the rows don't tell of. */
const notedIn = (filename: string): ReadonlyArray<unknown> => {
  const file = openSqlite(filename, { readOnly: true })
  const noted = file.rows("SELECT name, id FROM last_ids").all()
  file.close()
  return noted
}

/** A file with rows 1, 2 and 3. */
const three = async () => {
  const filename = aFile()
  const ports = await openPorts({ filename })
  for (const id of [1, 2, 3]) expect(add(ports)).toBe(id)
  return { filename, ports }
}

describe("the id of the last row, once that is removed,", () => {
  test("is given no more in the same transaction", async () => {
    const { ports } = await three()
    const ids = ports.direct.write(function* () {
      yield* removing(3)
      const next = yield* adding()
      yield* removing(next)
      return [next, yield* adding(), yield* adding()]
    })
    expect(ids).toEqual(Either.right([4, 5, 6]))
  })

  test("is noted until the next row, which has the one after it", async () => {
    const { filename, ports } = await three()
    take(ports, 3)
    expect(notedIn(filename)).toEqual([["categories", 3]])
    take(ports, 2)
    expect(notedIn(filename)).toEqual([["categories", 3]])
    expect([add(ports), add(ports)]).toEqual([4, 5])
    expect(notedIn(filename)).toEqual([])
  })

  test("is not noted where a greater one is there", async () => {
    const { filename, ports } = await three()
    take(ports, 2)
    expect(notedIn(filename)).toEqual([])
  })

  test("is given no more by another connection, nor after both were closed", async () => {
    const { filename, ports } = await three()
    const other = await openPorts({ filename })
    expect(add(other)).toBe(4)
    take(ports, 4)
    expect(add(other)).toBe(5)
    take(other, 5)
    await ports.close()
    await other.close()
    expect(add(await openPorts({ filename }))).toBe(6)
  })

  test("is given no more after a removal that was rolled back", async () => {
    const { filename, ports } = await three()
    const refused = ports.direct.write(function* (): Program<void, "no"> {
      yield* removing(3)
      yield* refuse<"no">("no")
    })
    expect([refused, notedIn(filename)]).toEqual([Either.left("no"), []])
    expect(add(ports)).toBe(4)
  })

  test("is given no more after a part of a group, which had given the next one, was undone", async () => {
    const { filename, ports } = await three()
    take(ports, 3)
    const undone = () =>
      ports.submit(function* (): Program<number, "no"> {
        const id = yield* adding()
        yield* removing(id)
        yield* refuse<"no">("no")
        return id
      })
    for (const id of [4, 7]) {
      const ids = await Promise.all([
        undone(),
        ports.submit(adding),
        undone(),
        ports.submit(adding)
      ])
      expect(ids.filter(Either.isRight).map(Either.getOrThrow)).toEqual([id, id + 1])
      const removed = ports.submit(() => removing(id + 1))
      const [, , late] = await Promise.all([removed, undone(), ports.submit(adding)])
      expect(late).toEqual(Either.right(id + 2))
    }
    expect(notedIn(filename)).toEqual([])
  })

  test("is given no more after everything was trimmed, and noted only then", async () => {
    const { filename, ports } = await three()
    ports.direct.write(() => trimming(3))
    expect(notedIn(filename)).toEqual([])
    ports.direct.write(() => trimming(99))
    ports.direct.write(() => trimming(99))
    expect(notedIn(filename)).toEqual([["categories", 3]])
    expect(add(ports)).toBe(4)
  })

  test("may come again where rows bring their ids", async () => {
    const { filename, ports } = await three()
    const stock = {
      id: 9,
      revision: 1,
      quantity: 1,
      status: "available",
      onOrder: 0,
      sold: 0
    } as const
    for (let times = 0; times < 2; times++) {
      ports.direct.write(() => insert(inventory, stock))
      ports.direct.write(() => remove(inventory, stock))
    }
    expect(notedIn(filename)).toEqual([])
  })
})

test("when all ids that are numbers of JavaScript are given, there is no room for more", async () => {
  const { filename, ports } = await three()
  const file = openSqlite(filename)
  file.exec(`UPDATE categories SET id = ${Number.MAX_SAFE_INTEGER - 1} WHERE id = 3`)
  file.close()
  const full = { _tag: "Left", left: { reason: "Full" } }
  const two = function* (): Program<ReadonlyArray<number>> {
    return [yield* adding(), yield* adding()]
  }
  expect(ports.direct.write(two)).toMatchObject(full)
  expect(add(ports)).toBe(Number.MAX_SAFE_INTEGER)
  expect(ports.direct.write(adding)).toMatchObject(full)
  take(ports, Number.MAX_SAFE_INTEGER)
  expect(ports.direct.write(adding)).toMatchObject(full)
})

/**
 * What happens to a file that two connections have open; `pick` chooses among the rows that are
 * there, the last ones more often.
 */
const step = fc.record({
  act: fc.constantFrom(
    "add",
    "add",
    "remove",
    "removeAndAdd",
    "trim",
    "refused",
    "group",
    "reopen"
  ),
  by: fc.constantFrom(0, 1),
  pick: fc.integer({ min: 0, max: 2 })
})

test("no id comes twice, whatever is removed, undone or opened anew in between", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const filename = aFile()
      const open = () => openPorts({ filename, durability: "relaxed" })
      const ports = [await open(), await open()]
      const there = new Set<number>()
      let last = 0
      const given = (id: number) => {
        expect(id).toBe(last + 1)
        last = id
        there.add(id)
      }
      for (const { act, by, pick } of steps) {
        const connection = ports[by] ?? (await open())
        const picked = [...there].toReversed()[pick]
        const removingPicked = function* (): Program<void> {
          if (picked !== undefined) yield* removing(picked)
        }
        const undone = function* (): Program<number, "no"> {
          yield* removingPicked()
          const id = yield* adding()
          yield* removing(id)
          yield* refuse<"no">("no")
          return id
        }
        if (act === "add") given(add(connection))
        else if (act === "refused")
          expect(connection.direct.write(undone)).toEqual(Either.left("no"))
        else if (act === "group") {
          const answers = [undone, adding, undone, adding].map((program) =>
            connection.submit(program)
          )
          const [, first, , second] = await Promise.all(answers)
          for (const answer of [first, second])
            if (answer !== undefined) given(Either.getOrThrow(answer))
        } else if (act === "trim") {
          connection.direct.write(() => trimming((picked ?? 0) + 1))
          for (const id of there) if (id <= (picked ?? 0)) there.delete(id)
        } else if (act === "reopen") {
          await connection.close()
          ports[by] = await open()
        } else {
          if (picked !== undefined) there.delete(picked)
          const ids = connection.direct.write(function* () {
            yield* removingPicked()
            return act === "remove" ? [] : [yield* adding(), yield* adding()]
          })
          for (const id of Either.getOrThrow(ids)) given(id)
        }
      }
      for (const each of ports) await each.close()
      const findings = await Effect.runPromise(verify({ filename }))
      expect(findings.filter(({ check }) => check === "ids")).toEqual([])
    }),
    { numRuns: 40 }
  )
})
