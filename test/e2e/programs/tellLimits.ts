/**
 * Says what an account's limits come to around a night on which clocks are set back, in whatever
 * zone the process is.
 */
import { Clock, Effect } from "effect"
import { PetStore, replay } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { say } from "./say.js"

const BEFORE_MS = Date.UTC(2026, 9, 24, 22, 59, 50)
const SECONDS = 4 * 3_600

let nowMs = BEFORE_MS
const clock: Clock.Clock = {
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => nowMs,
  currentTimeMillis: Effect.sync(() => nowMs),
  unsafeCurrentTimeNanos: () => BigInt(nowMs) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(nowMs) * 1_000_000n),
  sleep: () => Effect.never
}

const store = await PetStore.open({ storage: MemoryStorage.layer, clock })
const { id } = await store.accounts.create({ plan: "free" })
const { key } = await store.keys.create(id, { expiresAt: "2026-10-25T02:30:00+01:00" })
for (let second = 0; second < SECONDS; second += 7) {
  nowMs = BEFORE_MS + second * 1_000
  await store.engine.authenticator.admit(
    { apiKey: [key], authorization: [], address: "192.0.2.1" },
    nowMs
  )
  if (second % 1_400 === 0) say("explained", (await store.limits.explain(id)).text)
}
const trace = Array.from({ length: SECONDS / 5 }, (_, nth) => ({
  atMs: BEFORE_MS + nth * 5_000,
  key: "a"
}))
say("replayed", JSON.stringify(replay(trace, { perMinute: 10, perDay: 100 })))
say("offset", new Date(BEFORE_MS).getTimezoneOffset())
await store.close()
