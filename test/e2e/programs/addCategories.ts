/** Adds so many categories, one after the other, and says each id once it is acknowledged. */
import { PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { say } from "./say.js"

const [filename = "", count = "1"] = process.argv.slice(2)
const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })
for (let number = 0; number < Number(count); number++) {
  const { id } = await store.categories.create({ name: `Kind ${number}` })
  say("added", id)
}
await store.close()
