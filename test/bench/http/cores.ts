/**
 * Which processors servers and load run on: the first and the last that this process may use, where
 * `taskset` can say so.
 */
import { execFileSync } from "node:child_process"

export type Cores = { readonly server: string; readonly load: string; readonly all: string }

const coresOf = (list: string): ReadonlyArray<number> =>
  list.split(",").flatMap((part) => {
    const [first = 0, last = first] = part.split("-").map(Number)
    return Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
  })

/**
 * Puts this process on the last one. Undefined where there is only one, or no `taskset`: then
 * nothing is pinned.
 */
export const pinLoad = (): Cores | undefined => {
  try {
    const told = execFileSync("taskset", ["-pc", String(process.pid)], { encoding: "utf8" })
    const all = told.trim().split(" ").at(-1) ?? ""
    const cores = coresOf(all)
    const server = cores[0]
    const load = cores.at(-1)
    if (server === undefined || load === undefined || server === load) return undefined
    execFileSync("taskset", ["-pc", String(load), String(process.pid)], { stdio: "ignore" })
    return { server: String(server), load: String(load), all }
  } catch {
    return undefined
  }
}

export type Command = readonly [string, ...ReadonlyArray<string>]

/** The command that runs another one on these processors. */
export const pinnedCommand = (cores: string | undefined, command: Command): Command =>
  cores === undefined ? command : ["taskset", "-c", cores, ...command]

/** The command that runs a program of Node on these processors. */
export const pinned = (cores: string | undefined, program: ReadonlyArray<string>): Command =>
  pinnedCommand(cores, [process.execPath, ...program])
