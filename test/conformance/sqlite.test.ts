import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqliteStorage, type SqliteOptions } from "@petstore/storage-sqlite"
import { Effect, Layer } from "effect"
import { driversAtHand } from "../e2e/openSqlite.js"
import { directSuite, suite } from "./suite.js"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "petstore-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** A new file each time it is built. */
const inNewFile = (options: Omit<SqliteOptions, "filename">) =>
  Layer.unwrapScoped(
    Effect.map(folder, (path) =>
      SqliteStorage.layer({ ...options, filename: join(path, "pets.db") })
    )
  )

suite("storage in a file", inNewFile({}))
directSuite("storage in a file", inNewFile({}))
suite("storage in a file with relaxed durability", inNewFile({ durability: "relaxed" }))

// The first is the default.
for (const { name } of driversAtHand().slice(1)) {
  suite(`storage in a file by ${name}`, inNewFile({ driver: name }))
  directSuite(`storage in a file by ${name}`, inNewFile({ driver: name }))
}
