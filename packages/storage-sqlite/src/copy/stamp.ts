/** Names of files that are kept beside a store. */
import { existsSync } from "node:fs"
import { wallClockMs } from "../base/timers.js"

/** The time in UTC as a part of a name: `20261128T220000Z`. */
export const stampOf = (timeMs: number): string =>
  new Date(timeMs).toISOString().replace(/[-:]|\.\d+/g, "")

/** A name beside `path`, which nothing has yet, that says what is kept under it, and from when. */
export const keptName = (path: string, what: "before-upgrade" | "replaced"): string => {
  const dated = `${path}.${what}-${stampOf(wallClockMs())}`
  let name = dated
  for (let more = 2; existsSync(name); more++) name = `${dated}-${more}`
  return name
}
