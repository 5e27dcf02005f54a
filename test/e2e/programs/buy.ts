/**
 * On a message, tries to buy one unit of the pet so many times, sixteen at a time, and prints how
 * often it got one.
 */
import { InsufficientStock, PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { say } from "./say.js"

const [filename = "", petId = "1", tries = "1"] = process.argv.slice(2)
const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })

let left = Number(tries)
let bought = 0
let refused = 0

const buyer = async (): Promise<void> => {
  while (left > 0) {
    left--
    try {
      await store.orders.place({ petId: Number(petId), complete: true })
      bought++
    } catch (refusal) {
      if (!(refusal instanceof InsufficientStock)) throw refusal
      refused++
    }
  }
}

say("ready")
await new Promise((resolve) => process.stdin.once("data", resolve))
process.stdin.destroy()
await Promise.all(Array.from({ length: 16 }, buyer))
await store.close()
say("done", bought, refused)
