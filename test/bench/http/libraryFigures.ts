/** The measurements of the library, each in a process of its own on the servers' core. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Calls } from "../library/calls.js"
import type { Many } from "../library/many.js"
import type { Storage } from "../peers/Peer.js"
import { pinned } from "./cores.js"

const main = fileURLToPath(new URL("../library/main.js", import.meta.url))

const run = async (cores: string | undefined, ...args: ReadonlyArray<string>): Promise<string> => {
  const [command, ...program] = pinned(cores, ["--expose-gc", main, ...args])
  const { stdout } = await promisify(execFile)(command, program)
  return stdout
}

export const libraryCalls = async (rounds: number, cores: string | undefined): Promise<Calls> =>
  JSON.parse(await run(cores, "calls", String(rounds)))

export const libraryMany = async (
  storage: Storage,
  pets: number,
  cores: string | undefined
): Promise<Many> => JSON.parse(await run(cores, storage, String(pets)))
