/** Waits for a change that never comes, and has nothing else to do. */
import { PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { say } from "./say.js"

const [filename = ""] = process.argv.slice(2)
const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })
void store.changes().next()
say("waiting")
