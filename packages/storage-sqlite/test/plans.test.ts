import {
  BY_ID,
  COLLECTIONS,
  type Collection,
  type Column,
  type Index,
  storedIndexes,
  type Position,
  type Program,
  type Range,
  type Row,
  type Value,
  drive,
  pets
} from "@petstore/core/storage"
import type { Connection } from "../src/driver/Driver.js"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Either } from "effect"
import { describe, expect, test } from "vitest"
import { sqlName } from "../src/base/names.js"
import { Tables } from "../src/table/Tables.js"
import { aFile, openStore } from "./aFile.js"

/** Tables that note every statement they prepare. */
const recording = (file: Connection) => {
  const statements = new Set<string>()
  const noted = (sql: string): string => {
    statements.add(sql)
    return sql
  }
  const noting: Connection = {
    ...file,
    rows: (sql) => file.rows(noted(sql)),
    values: (sql) => file.values(noted(sql)),
    command: (sql) => file.command(noted(sql))
  }
  const tables = new Tables(noting, COLLECTIONS)
  statements.clear()
  return { tables, statements }
}

const planOf = (file: Connection, sql: string): ReadonlyArray<string> => {
  const explain = file.rows<readonly [number, number, number, detail: string]>(
    `EXPLAIN QUERY PLAN ${sql}`
  )
  return explain
    .all(
      ...sql
        .split("?")
        .slice(1)
        .map(() => 1)
    )
    .map(([, , , detail]) => detail)
}

const NONE: Pick<Collection<Row>, "indexes"> = { indexes: [] }
const collectionsByTable = new Map<string, Collection<Row>>(
  COLLECTIONS.map((collection) => [sqlName(collection.name), collection])
)

/**
 * The table itself is the index of all rows by id: walking it without an index is right in that
 * order and up to a limit. Counting all rows walks the smallest index there is, so the table only
 * where it has none.
 */
const mayWalkTable = (sql: string, table: string): boolean =>
  / NOT INDEXED ORDER BY id( DESC)? LIMIT \? \+ 0$/.test(sql) ||
  (sql.startsWith("SELECT count(*)") &&
    storedIndexes(collectionsByTable.get(table) ?? NONE).length === 0)

/** What a statement asks of a row, but for what all rows in its part of an index have. */
const conditionsOf = (sql: string): ReadonlyArray<string> => {
  const [, part = "none"] = / INDEXED BY \w+_(\d) /.exec(sql) ?? []
  const [, conditions = ""] = / WHERE (.*?)( ORDER BY .*)?$/.exec(sql) ?? []
  return conditions.split(" AND ").filter((each) => each !== "" && !each.endsWith(` = ${part}`))
}

/**
 * A search in an index, or a walk along one; a walk without conditions is right only for what has
 * no conditions.
 */
const isRight = (sql: string, detail: string): boolean => {
  if (/^SEARCH \w+ USING (COVERING INDEX|INDEX|INTEGER PRIMARY KEY|PRIMARY KEY)/.test(detail))
    return true
  if (conditionsOf(sql).length > 0) return false
  if (/^SCAN \w+ USING (COVERING )?INDEX/.test(detail)) return true
  const [, table = ""] = /^SCAN (\w+)$/.exec(detail) ?? []
  return mayWalkTable(sql, table)
}

const wrongPlans = (file: Connection, statements: Iterable<string>): ReadonlyArray<string> =>
  [...statements].flatMap((sql) => {
    const plan = planOf(file, sql)
    return plan.length === 1 && plan.every((detail) => isRight(sql, detail))
      ? []
      : [`${sql}: ${plan.join("; ")}`]
  })

const valuesFor = (collection: Collection<Row>, column: string): ReadonlyArray<Value> => {
  const columns: Readonly<Record<string, { readonly type: string }>> = collection.columns
  return columns[column]?.type === "text" ? ["a", "k", "z"] : [10, 20, 30]
}

/** Every range, position and direction that differ in what bounds them. */
const scansOf = (collection: Collection<Row>, index: Index) => {
  const [low = null, middle = null, high = null] = valuesFor(collection, index.sort)
  const columns: Readonly<Record<string, Column>> = collection.columns
  const prefix = index.on.map((column) => columns[column]?.values?.[1] ?? 1)
  const positions: ReadonlyArray<Position | null> = [
    null,
    { value: null, id: 5 },
    { value: middle, id: 15 }
  ]
  const bounds = [null, low].flatMap((atLeast) => [null, high].map((below) => ({ atLeast, below })))
  return bounds.flatMap((bound) =>
    positions.flatMap((after) =>
      [false, true].map((descending) => {
        const range: Range = { index, prefix, ...bound }
        return { op: "scan", collection, range, after, descending, limit: 10 } as const
      })
    )
  )
}

describe("query plans", () => {
  test("a walk through a whole table is told from one along an index", async () => {
    const filename = aFile()
    await openStore({ filename })
    const file = openSqlite(filename)
    const bad = [
      "SELECT id FROM pets NOT INDEXED WHERE name = ? ORDER BY id LIMIT ? + 0",
      "SELECT id FROM pets NOT INDEXED ORDER BY name LIMIT ? + 0",
      "SELECT id FROM pets NOT INDEXED",
      "SELECT id FROM pets INDEXED BY pets_status_name_0 WHERE status = 0 AND revision > ? ORDER BY name, id LIMIT ? + 0",
      "SELECT count(*) FROM pets NOT INDEXED"
    ]
    const good = [
      "SELECT id FROM pets NOT INDEXED ORDER BY id DESC LIMIT ? + 0",
      "SELECT id FROM pets INDEXED BY pets_status_name_0 WHERE status = 0 ORDER BY name, id LIMIT ? + 0",
      "SELECT count(*) FROM pets"
    ]
    expect(wrongPlans(file, [...bad, ...good]).map((each) => each.split(":")[0])).toEqual(bad)
    file.close()
  })

  test("every range of every index, from any position in either direction, is found by seeking, and so is its count", async () => {
    const filename = aFile()
    await openStore({ filename })
    const file = openSqlite(filename)
    const { tables, statements } = recording(file)
    const collections: ReadonlyArray<Collection<Row>> = COLLECTIONS
    for (const collection of collections) {
      for (const index of [BY_ID, ...storedIndexes(collection)]) {
        for (const scan of scansOf(collection, index)) {
          tables.read(scan)
          tables.read({ op: "count", collection, range: scan.range })
        }
      }
    }
    expect(statements.size).toBeGreaterThan(200)
    expect(wrongPlans(file, statements)).toEqual([])
    file.close()
  })

  test("every list a caller can ask for, on its first page and a later one, is answered from indexes", async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    const { shop } = store.engine
    const { direct } = store
    const shipDate = "2026-01-01T00:00:00Z"
    for (let number = 0; number < 3; number++) {
      const { id: categoryId } = direct.categories.create({ name: "Fish" })
      for (const status of ["available", "pending", "sold"] as const)
        direct.pets.create({ name: "Goldie", categoryId, status })
      direct.inventory.set(number + 1, { quantity: 3 })
      direct.orders.place({ petId: number + 1, shipDate })
      direct.orders.place({})
    }
    const file = openSqlite(filename)
    const { tables, statements } = recording(file)
    let lists = 0

    type Answer = { readonly next?: string }
    type Listing = {
      readonly validate: (
        query: Readonly<Record<string, unknown>>
      ) => Either.Either<readonly [unknown], unknown>
      readonly program: (context: { readonly nowMs: number }, plan: never) => Program<Answer>
    }
    const ask = (list: Listing, query: Readonly<Record<string, unknown>>): void => {
      const validated = list.validate(query)
      if (Either.isLeft(validated)) return
      lists++
      const start = list.program({ nowMs: 0 }, validated.right[0] as never)
      const page = Either.getOrThrow(drive<Answer, never>(start, tables.read))
      if (page.next !== undefined && query["cursor"] === undefined)
        ask(list, { ...query, cursor: page.next })
    }

    const combined = (
      choices: Readonly<Record<string, ReadonlyArray<unknown>>>
    ): ReadonlyArray<Record<string, unknown>> =>
      Object.entries(choices).reduce<ReadonlyArray<Record<string, unknown>>>(
        (queries, [name, values]) =>
          queries.flatMap((query) => values.map((value) => ({ ...query, [name]: value }))),
        [{}]
      )
    const sorts = (...names: ReadonlyArray<string>) => [
      undefined,
      ...names.flatMap((name) => [name, `-${name}`, `${name},-id`, `-${name},id`, `-${name},-id`])
    ]
    const paging = { limit: [1], total: [false, true] }
    const status = [undefined, ["available"], ["available", "sold"]]
    for (const query of combined({
      ...paging,
      sort: sorts("id", "name"),
      status,
      categoryId: [undefined, 1],
      name: [undefined, "go"]
    })) {
      ask(shop.pets.list, query)
    }
    for (const query of combined({ ...paging, sort: sorts("id", "name"), name: [undefined, "fi"] }))
      ask(shop.categories.list, query)
    for (const query of combined({ ...paging, sort: sorts("petId", "quantity"), status }))
      ask(shop.inventory.list, query)
    const dates = [undefined, shipDate]
    for (const query of combined({
      ...paging,
      sort: sorts("id", "shipDate"),
      petId: [undefined, 1],
      complete: [undefined, false],
      shipDateFrom: dates,
      shipDateTo: dates
    })) {
      ask(shop.orders.list, query)
    }
    expect(lists).toBeGreaterThan(300)
    expect(statements.size).toBeGreaterThan(50)
    expect(wrongPlans(file, statements)).toEqual([])
    file.close()
  })

  test("a page among a hundred thousand equal names costs no more than one among different names", async () => {
    const filename = aFile()
    const store = await openStore({ filename, durability: "relaxed" })
    const { id: categoryId } = store.direct.categories.create({ name: "Fish" })
    const file = openSqlite(filename)
    file
      .command(
        `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
         INSERT INTO pets (revision, name, category_id, status, on_order, sold)
         SELECT 1, 'Goldie', ${categoryId}, 0, 0, 0 FROM n`
      )
      .run()
    const tables = new Tables(file, COLLECTIONS)
    const index = pets.indexes.find(({ name }) => name === "status_name") ?? BY_ID
    const range = { index, prefix: ["available"], atLeast: null, below: null }
    const page = (id: number) =>
      tables.read({
        op: "scan",
        collection: pets,
        range,
        after: { value: "Goldie", id },
        descending: false,
        limit: 50
      })
    const fastest = (id: number) =>
      Math.min(
        ...Array.from({ length: 20 }, () => {
          const startMs = performance.now()
          page(id)
          return performance.now() - startMs
        })
      )
    page(1)
    expect(fastest(99_000)).toBeLessThan(10 * fastest(10) + 0.1)
    file.close()
  })
})
