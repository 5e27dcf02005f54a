/**
 * On a message, presents KEY so many times, sixteen at a time, to a store on FILE whose clock is
 * fixed at NOW_MS, and prints how often it was admitted and refused. Then it closes the store, or,
 * with "stay", keeps its leases until it is killed. With "tell", it stays, and also prints each
 * admission at once.
 */
import { PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { say } from "./say.js"

const [filename = "", key = "", nowMs = "0", times = "1", then = "close"] = process.argv.slice(2)
const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })

let left = Number(times)
let admitted = 0
let refused = 0

const caller = async (): Promise<void> => {
  while (left > 0) {
    left--
    const presented = { apiKey: [key], authorization: [], address: "192.0.2.1" }
    const admission = await store.engine.authenticator.admit(presented, Number(nowMs))
    if (admission.admitted) {
      admitted++
      if (then === "tell") say("admitted")
    } else if (admission.refusal.code === "rate_limited") refused++
    else throw admission.refusal
  }
}

say("ready")
await new Promise((resolve) => process.stdin.once("data", resolve))
await Promise.all(Array.from({ length: 16 }, caller))
say("called", admitted, refused)
if (then === "close") {
  process.stdin.destroy()
  await store.close()
  say("done", admitted, refused)
}
