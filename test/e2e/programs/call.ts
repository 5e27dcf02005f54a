/**
 * Once it is told to, presents KEY so many times, sixteen at a time, to a store on FILE whose clock
 * stands at NOW_MS, and says how often it was admitted and refused. Then it closes the store, or,
 * asked to "stay", keeps what it holds until it is killed. Asked to "tell", it stays, and also says
 * each admission when it is had.
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
