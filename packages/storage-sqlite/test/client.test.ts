import { SqlClient } from "@effect/sql/SqlClient"
import { PetStore } from "@petstore/core"
import { Effect, Layer } from "effect"
import { expect, test } from "vitest"
import { SqliteStorage } from "../src/index.js"
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
