/**
 * How long `petstore serve` takes, as a new process on a new file, until it has answered its first
 * request; and what it then weighs.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { pinned } from "./cores.js"
import { residentMb } from "./processFigures.js"
import { median, type Spread, spread } from "./statistics.js"

export type ColdStart = {
  readonly firstAnswerMs: Spread
  /** A second after the first answer. */
  readonly idleMb: number | undefined
}

const launcher = fileURLToPath(new URL("../../../../packages/cli/bin/petstore.js", import.meta.url))

/** Long enough for what a start leaves behind to be done. */
const SETTLED_MS = 1_000

const startOnce = async (filename: string, cores: string | undefined) => {
  const startedMs = performance.now()
  const [command, ...args] = pinned(cores, [launcher, "serve", "--port", "0", "--db", filename])
  const child = spawn(command, args, {
    // Its log of requests.
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, NODE_ENV: "production" }
  })
  const ended = once(child, "exit")
  let url = ""
  let key: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    url ||= line.split(" ").at(-1) ?? ""
    key = /\bps_[0-9A-Za-z]{38}\b/.exec(line)?.[0]
    if (key !== undefined) break
  }
  if (key === undefined) throw new Error("petstore serve ended before it printed a key")
  const answer = await fetch(`${url}/pets`, { headers: { "x-api-key": key } })
  await answer.text()
  const firstAnswerMs = performance.now() - startedMs
  if (answer.status !== 200) throw new Error(`petstore serve answered ${answer.status}`)
  await pause(SETTLED_MS)
  const idleMb = residentMb(child.pid)
  child.kill()
  await ended
  return { firstAnswerMs, idleMb }
}

/** On all cores there are, one start after the other. */
export const coldStart = async (starts: number, cores: string | undefined): Promise<ColdStart> => {
  const folder = mkdtempSync(
    join(process.env["PETSTORE_BENCH_FOLDER"] ?? tmpdir(), "petstore-bench-")
  )
  try {
    const seen = []
    for (let start = 0; start < starts; start++)
      seen.push(await startOnce(join(folder, `${start}.db`), cores))
    const idle = seen.flatMap(({ idleMb }) => idleMb ?? [])
    return {
      firstAnswerMs: spread(seen.map(({ firstAnswerMs }) => firstAnswerMs)),
      idleMb: idle.length === 0 ? undefined : median(idle)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
