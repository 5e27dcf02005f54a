import { SafeIntegers, SqlClient } from "@effect/sql/SqlClient"
import { PetStore, StorageError } from "@petstore/core"
import { Cause, Effect, Exit, Layer, Stream } from "effect"
import { expect, test } from "vitest"
import { SqliteStorage } from "../src/index.js"
import { writeFileSync } from "node:fs"
import { aFile } from "./aFile.js"

test("a host asks SQL of the file of a store that is open", async () => {
  const options = { filename: aFile() }
  const layer = Layer.merge(PetStore.layer(), SqliteStorage.client(options)).pipe(
    Layer.provide(SqliteStorage.layer(options))
  )
  const program = Effect.gen(function* () {
    const store = yield* PetStore
    const { id: categoryId } = yield* store.categories.create({ name: "Fish" })
    yield* store.pets.create({ name: "Goldie", categoryId })
    const sql = yield* SqlClient
    return yield* sql`SELECT pets.name, categories.name AS category FROM pets JOIN categories ON category_id = categories.id`
  })
  expect(await Effect.runPromise(Effect.provide(program, layer))).toEqual([
    { name: "Goldie", category: "Fish" }
  ])
})

const causeOf = async (filename: string): Promise<Cause.Cause<StorageError>> => {
  const layer = SqliteStorage.client({ filename }).pipe(
    Layer.provide(SqliteStorage.layer({ filename: aFile() }))
  )
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(layer)))
  return Exit.isFailure(exit) ? exit.cause : Cause.empty
}

test("a file that can't be opened is a failure", async () => {
  const filename = aFile()
  writeFileSync(
    filename,
    "no store at all, but text that goes on for long enough to be looked at by SQLite".repeat(9)
  )
  const cause = await causeOf(filename)
  const failure = Cause.squash(cause)
  expect(Cause.isFailType(cause) && failure instanceof StorageError && failure.reason).toBe(
    "Corrupt"
  )
})

test("what is no failure of opening stays a defect", async () => {
  const cause = await causeOf(JSON.parse("7"))
  expect(Cause.isDieType(cause)).toBe(true)
})

const asked = <A, E>(program: Effect.Effect<A, E, SqlClient>) => {
  const options = { filename: aFile() }
  const layer = SqliteStorage.client(options).pipe(Layer.provide(SqliteStorage.layer(options)))
  return Effect.runPromise(Effect.provide(program, layer))
}

test("a transaction of a host is undone where it fails, and waits for nobody but those who write", () =>
  asked(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`CREATE TABLE own (id INTEGER PRIMARY KEY, name TEXT)`
      yield* sql`INSERT INTO own ${sql.insert([{ name: "a" }, { name: "b" }])}`
      const failing = sql.withTransaction(
        Effect.zipRight(
          sql`INSERT INTO own ${sql.insert({ name: "c" })}`,
          sql`SELECT * FROM nowhere`
        )
      )
      expect((yield* Effect.flip(failing))._tag).toBe("SqlError")
      expect(yield* sql`SELECT name FROM own ORDER BY id`).toEqual([{ name: "a" }, { name: "b" }])
      expect(yield* sql`SELECT id, name FROM own ORDER BY id`.values).toEqual([
        [1, "a"],
        [2, "b"]
      ])
      expect(yield* Stream.runCount(sql`SELECT * FROM own`.stream)).toBe(2)
      expect(yield* sql`SELECT count(*) AS n FROM own`.unprepared).toEqual([{ n: 2 }])
      expect(yield* sql`DELETE FROM own`.raw).toMatchObject({ changes: 2 })
    })
  ))

test("integers come as bigints where they are asked for so, and as numbers otherwise", () =>
  asked(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const one = sql`SELECT 9007199254740993 AS id`
      expect(yield* Effect.provideService(one, SafeIntegers, true)).toEqual([
        { id: 9007199254740993n }
      ])
      expect(yield* sql`SELECT 7 AS id`).toEqual([{ id: 7 }])
    })
  ))
