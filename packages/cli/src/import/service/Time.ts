/** Time as the import needs it, so that tests need none. */
import { setTimeout as pause } from "node:timers/promises"

export type Time = {
  readonly nowMs: () => number
  /** Waits; rejects as soon as the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** 0 up to, not including, 1. */
  readonly random: () => number
}

export const machineTime: Time = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) => pause(ms, undefined, { signal }),
  random: () => Math.random()
}
