/**
 * `npm run bench -- mounted`: the CPU time per request of the store that is mounted in a host, and
 * of the same service written by hand on that host, in paired rounds.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { compare, FEWEST_ROUNDS, type Round } from "./against/compare.js"
import { measureRound } from "./against/measure.js"
import { startProcess } from "./against/ServerProcess.js"
import { pinLoad, pinnedCommand } from "./http/cores.js"
import {
  commandOf,
  HOSTS,
  type HostName,
  isHostName,
  type Side,
  versionOf
} from "./mounted/hosts.js"
import { type Row, table } from "./mounted/table.js"
import { mountedWorks } from "./mounted/works.js"
import { machineText } from "./report/Report.js"
import { thisMachine } from "./report/thisMachine.js"

const USAGE = `npm run bench -- mounted [HOST...] [--rounds 9] [--only TEXT] [--quick] [--json]
  HOST         ${Object.keys(HOSTS).join(", ")}; all unless given
  --rounds N   paired rounds of each work, at least ${FEWEST_ROUNDS}
  --only TEXT  only works whose name contains this text
  --quick      ${FEWEST_ROUNDS} rounds with a quarter of the requests
  --json       one JSON object, with the figures of every round
PETSTORE_BUN and PETSTORE_DENO name the programs of Bun and Deno that are not on the PATH. A host
whose runtime is not installed is skipped.
Exit codes: 0 if every ratio is within its bound, 1 if one is over or noise hides it, 2 for a
usage error.`

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

const count = Number(asked.rounds ?? (asked.quick ? FEWEST_ROUNDS : 9))
const works = mountedWorks(asked.quick).filter(({ work }) => work.name.includes(asked.only))
const wanted = positionals.filter(isHostName)
const isAsked = wanted.length === positionals.length && works.length > 0
if (asked.help || !isAsked || !(count >= FEWEST_ROUNDS)) {
  console.error(USAGE)
  process.exit(asked.help ? 0 : 2)
}

const progress = (text: string): void => {
  process.stderr.write(text)
}

// Exit handlers kill the servers.
const STOPPED = 130
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => process.exit(STOPPED))

const program = join(import.meta.dirname, "mounted/server.js")
const cores = pinLoad()

const measured: Array<Row & { readonly rounds: ReadonlyArray<Round> }> = []
const versions: Array<string> = []
const hosts = Object.keys(HOSTS)
  .filter(isHostName)
  .filter((name) => wanted.length === 0 || wanted.includes(name))

/** Measures every work on one host. */
const measureHost = async (name: HostName): Promise<void> => {
  const { runtime, title, atMost } = HOSTS[name]
  const start = (side: Side) => () =>
    startProcess(pinnedCommand(cores?.server, commandOf(runtime, [program, name, side])), {})
  const starts = { before: start("hand"), after: start("store") }
  for (const compared of works) {
    const { name: work } = compared.work
    progress(`${title}, ${work} `)
    const rounds: Array<Round> = []
    for (let nth = 0; nth < count; nth++) {
      rounds.push(await measureRound(compared, starts, nth))
      progress(".")
    }
    const comparison = compare(rounds, atMost)
    progress(` ${comparison.ratio.toFixed(2)}\n`)
    measured.push({ host: title, work, atMost, ...comparison, rounds })
  }
}

for (const name of hosts) {
  const { runtime } = HOSTS[name]
  const version = versionOf(runtime)
  if (version === undefined) {
    progress(`SKIPPED ${name}: there is no ${runtime} on the PATH or in the environment\n`)
    continue
  }
  if (runtime !== "node") versions.push(`${runtime} ${version}`)
  await measureHost(name)
}

const machine = thisMachine()
if (asked.json) {
  const date = new Date().toISOString().slice(0, 10)
  console.log(JSON.stringify({ date, machine, versions, cores, measured }))
} else {
  const where = [machineText(machine), ...versions].join(", ")
  console.log(`\n${where}; ${count} rounds; the server's CPU for each request\n`)
  console.log(table(measured))
}
process.exit(measured.every(({ verdict }) => verdict === "within") ? 0 : 1)
