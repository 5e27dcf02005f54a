/** The pet store served over node:http: in memory, or with the argument `file` in a temporary file. Prints its port and a key. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PetStore } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"

const folder = mkdtempSync(join(tmpdir(), "petstore-bench-"))
const inFile = process.argv[2] === "file"
const store = await PetStore.open({
  storage: inFile ? SqliteStorage.layer({ filename: join(folder, "pets.db") }) : MemoryStorage.layer
})
const account = await store.accounts.create({ plan: "enterprise", perMinute: 10 ** 9, perDay: 10 ** 9 })
const { key } = await store.keys.create(account.id)
await store.categories.create({ name: "Dogs" })
await store.transact(function* (tx) {
  for (let nth = 0; nth < 1_000; nth++) yield* tx.pets.create({ name: `Pet ${nth}`, categoryId: 1 })
})
// Without counters for Prometheus, as the peers have none.
const { url } = await serve(store, { host: "127.0.0.1", port: 0, metrics: false })
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
process.on("SIGTERM", () => process.exit(0))
console.log(JSON.stringify({ port: Number(new URL(url).port), key }))
