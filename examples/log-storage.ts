// A custom storage: a log file. After it is opened again, acknowledged writes are there, and a torn
// last line is not.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PetStore } from "@petstore/core"
import { LogStorage } from "./log-storage/LogStorage.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-log-"))
const filename = join(folder, "pets.log")

const first = await PetStore.open({ storage: LogStorage.layer({ filename }) })
const cats = await first.categories.create({ name: "Cats" })
await first.pets.create({ name: "Minka", categoryId: cats.id })
await first.close()
console.log(readFileSync(filename, "utf8").split("\n").length - 1, "transactions in the log")

appendFileSync(filename, '{"changes":[{"op":"ins')
const second = await PetStore.open({ storage: LogStorage.layer({ filename }) })
console.log((await second.pets.list()).items)
console.log(await second.pets.create({ name: "Felix", categoryId: cats.id }))
await second.close()
rmSync(folder, { recursive: true })
