/**
 * `npm run bench -- budget`: what one request costs by step, in microseconds of the server's
 * processor time. The time comes from rounds without a profiler, its split from rounds with one.
 * `--only TEXT` for the work whose name has it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { Shares } from "./budget/sharesOf.js"
import { STEPS } from "./budget/steps.js"
import { pinLoad, pinned } from "./http/cores.js"
import { cpuMicros } from "./http/processFigures.js"
import { median, sum } from "./http/statistics.js"
import { type Target, titleOf, type Work, WORKS } from "./http/works.js"
import { load } from "./load/load.js"

const ROUNDS = 5
const SECONDS = 1

const { only } = parseArgs({ options: { only: { type: "string", default: "" } } }).values
const cores = pinLoad()

const measure = async (work: Work): Promise<Record<string, string | number>> => {
  const program = [fileURLToPath(new URL("./budget/server.js", import.meta.url)), work.storage]
  const [command, ...args] = pinned(cores?.server, program)
  const server = spawn(command, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  const [target]: Array<Target> = await once(server, "message")
  if (target === undefined) throw new Error("the server said nothing")
  const { connections, expected } = work
  const requests = await work.requests(target)
  const round = () => load({ port: target.port, connections, seconds: SECONDS, requests, expected })

  await round()
  const micros: Array<number> = []
  const split: Array<Shares> = []
  for (let nth = 0; nth < ROUNDS; nth++) {
    const before = cpuMicros(server.pid) ?? 0
    const { requests: answered } = await round()
    micros.push(((cpuMicros(server.pid) ?? 0) - before) / answered)
    server.send("begin")
    await once(server, "message")
    await round()
    server.send("end")
    const [shares]: Array<Shares> = await once(server, "message")
    if (shares !== undefined) split.push(shares)
  }
  server.disconnect()
  await once(server, "exit")

  const whole = median(micros)
  const steps = STEPS.map((step) => {
    const share = sum(split.map((shares) => shares[step])) / split.length
    return [step, (share * whole).toFixed(1)] as const
  })
  return { work: titleOf(work), ...Object.fromEntries(steps), "all of it": whole.toFixed(1) }
}

const rows: Array<Record<string, string | number>> = []
for (const work of WORKS) {
  if (titleOf(work).toLowerCase().includes(only.toLowerCase())) rows.push(await measure(work))
}
for (const step of ["work", ...STEPS, "all of it"])
  console.log(`| ${[step, ...rows.map((row) => row[step])].join(" | ")} |`)
