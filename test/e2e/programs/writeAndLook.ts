/**
 * Opens a store on FILE, reads the file in another way from the same process, and on a message adds
 * so many pets of category 1, reading the file again every 50. Prints each acknowledged id, then
 * waits to be killed.
 */
import { PetStore } from "@petstore/core"
import { backup, SqliteStorage, verify } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import { say } from "./say.js"

const [filename = "", way = "verify", pets = "200"] = process.argv.slice(2)
const open = () => PetStore.open({ storage: SqliteStorage.layer({ filename }) })
const store = await open()

let looks = 0
const look = async (): Promise<void> => {
  looks++
  if (way === "verify") await Effect.runPromise(verify({ filename }))
  else if (way === "backup") {
    const destination = `${filename}.copy-${process.pid}-${looks}`
    await Effect.runPromise(backup({ filename, destination }))
  } else if (way === "open") await (await open()).close()
  else throw new Error(`there is no way "${way}"`)
}

await look()
say("looked")
await new Promise((resolve) => process.stdin.once("data", resolve))
for (let number = 1; number <= Number(pets); number++) {
  const { id } = await store.pets.create({ name: `${way} ${process.pid} ${number}`, categoryId: 1 })
  say("added", id)
  if (number % 50 === 0) await look()
}
say("done")
setInterval(() => undefined, 1_000)
