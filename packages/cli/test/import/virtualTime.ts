/** A clock that moves when someone waits, so that tests wait for nothing. */
import type { Time } from "../../src/import/service/Time.js"

/** All waits wake at their own times, in order. */
export const virtualTime = (random: number | (() => number) = 0): Time => {
  let nowMs = 0
  return {
    nowMs: () => nowMs,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      const untilMs = nowMs + ms
      await Promise.resolve()
      nowMs = Math.max(nowMs, untilMs)
    },
    random: () => (typeof random === "number" ? random : random())
  }
}
