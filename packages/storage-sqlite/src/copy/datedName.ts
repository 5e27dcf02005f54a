/** Names with a date for copies of a store in its folder. */
import { existsSync } from "node:fs"
import { wallClockMs } from "../base/timers.js"

/** The time in UTC as a part of a file name: `20261128T220000Z`. */
export const timestampOf = (timeMs: number): string =>
  new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, "")

/** A free name beside `path` with a label and the current time. */
export const datedName = (path: string, label: "before-upgrade" | "replaced"): string => {
  const base = `${path}.${label}-${timestampOf(wallClockMs())}`
  let name = base
  for (let number = 2; existsSync(name); number++) name = `${base}-${number}`
  return name
}
