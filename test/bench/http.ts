/**
 * `npm run bench`: the pet store over HTTP beside the same service written by hand on bare
 * node:http, Fastify, Express, Hono, and on HttpApiBuilder; then the library, a store of a million
 * pets, and the start of `petstore serve`, each held against its target. Servers run on one core
 * and the load on another where `taskset` is there; rounds are interleaved, figures are medians.
 */
import { tmpdir } from "node:os"
import { parseArgs } from "node:util"
import { type ColdStart, coldStart } from "./http/coldStart.js"
import { pinLoad } from "./http/cores.js"
import { libraryCalls, libraryMany } from "./http/libraryFigures.js"
import { type Figures, measure } from "./http/measure.js"
import { titleOf, WORKS } from "./http/works.js"
import type { Calls } from "./library/calls.js"
import type { Many } from "./library/many.js"
import { syncMs } from "./library/syncMs.js"
import { PEERS_OVER, type PeerName } from "./peers/Peer.js"
import type { Report } from "./report/Report.js"
import { printFigures, printTargets } from "./report/terminal.js"
import { thisMachine } from "./report/thisMachine.js"
import { writeReport } from "./report/writeReport.js"

const USAGE = `npm run bench -- [--quick] [--only TEXT] [--targets] [--json] [--write]
  --quick      shorter rounds, fewer pets, no Express and no Hono: under a minute
  --only TEXT  the parts whose name has this text
  --targets    only the table of targets
  --json       everything as one JSON object
  --write      puts the figures into README.md and docs/`

const { values: asked } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    targets: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

/** Those that no target is about: a quick run does without them. */
const SLOW: ReadonlySet<PeerName> = new Set(["express", "hono"])

const EFFORT = asked.quick
  ? {
      rounds: { count: 3, seconds: 0.2, warmUp: { seconds: 0.3, requests: 5_000 } },
      without: SLOW,
      calls: 5,
      pets: 50_000,
      starts: 3
    }
  : {
      rounds: { count: 7, seconds: 0.8, warmUp: { seconds: 1, requests: 20_000 } },
      without: new Set<PeerName>(),
      calls: 21,
      pets: 1_000_000,
      starts: 7
    }

const progress = (text: string): void => {
  process.stderr.write(text)
}

const cores = pinLoad()

type Part = { readonly name: string; readonly run: () => Promise<unknown> }

const figures: Array<Figures> = []
const found: { calls?: Calls; memory?: Many; file?: Many; start?: ColdStart } = {}

const ofWorks = WORKS.map((work): Part => ({
  name: titleOf(work),
  run: async () => {
    const peers = PEERS_OVER[work.storage].filter((peer) => !EFFORT.without.has(peer))
    figures.push(...(await measure(work, peers, EFFORT.rounds, cores?.server, progress)))
  }
}))

/** A part that is done in one go. */
const inOneGo = (name: string, run: () => Promise<unknown>): Part => ({
  name,
  run: async () => {
    progress(name)
    await run()
    progress(" .\n")
  }
})

const others: ReadonlyArray<Part> = [
  inOneGo(
    "library: calls",
    async () => (found.calls = await libraryCalls(EFFORT.calls, cores?.server))
  ),
  ...(["memory", "file"] as const).map((storage) =>
    inOneGo(
      `library: many pets, ${storage}`,
      async () => (found[storage] = await libraryMany(storage, EFFORT.pets, cores?.server))
    )
  ),
  inOneGo(
    "petstore serve: cold start",
    async () => (found.start = await coldStart(EFFORT.starts, cores?.all))
  )
]

const only = asked.only.toLowerCase()
const parts = [...ofWorks, ...others].filter(({ name }) => name.toLowerCase().includes(only))
if (asked.help || parts.length === 0) {
  console.error(
    `${USAGE}\n\nThe parts:\n${[...ofWorks, ...others].map(({ name }) => `  ${name}`).join("\n")}`
  )
  process.exit(asked.help ? 0 : 2)
}
if (asked.write && only !== "") {
  console.error("a part of a run is not written down: give --write without --only")
  process.exit(2)
}
if (EFFORT.without.size > 0) progress(`quick: without ${[...EFFORT.without].join(" and ")}\n`)

const startedMs = performance.now()
for (const { run } of parts) await run()
progress(`${Math.round((performance.now() - startedMs) / 1_000)} s\n`)

const report: Report = {
  date: new Date().toISOString().slice(0, 10),
  machine: thisMachine(),
  ...(cores === undefined ? {} : { cores }),
  syncMs: syncMs(process.env["PETSTORE_BENCH_FOLDER"] ?? tmpdir()),
  quick: asked.quick,
  rounds: EFFORT.rounds,
  figures,
  ...found
}
if (asked.write) writeReport(report)
if (asked.json) console.log(JSON.stringify(report))
else {
  if (!asked.targets) printFigures(report)
  printTargets(report)
}
