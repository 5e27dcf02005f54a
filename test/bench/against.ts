/**
 * `npm run bench -- against REF`: the CPU time per request of the server, of this version and of
 * another commit, both built, in paired rounds.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { compare, FEWEST_ROUNDS, type Round } from "./against/compare.js"
import { measureRound } from "./against/measure.js"
import { startServer } from "./against/ServerProcess.js"
import { type Row, table } from "./against/table.js"
import {
  checkOut,
  commitOf,
  hasOtherDependencies,
  thisVersion,
  type Version
} from "./against/versions.js"
import { comparedWorks } from "./against/works.js"
import { pinLoad } from "./http/cores.js"
import { titleOf } from "./http/works.js"
import { machineText } from "./report/Report.js"
import { thisMachine } from "./report/thisMachine.js"

const USAGE = `npm run bench -- against REF [--rounds 9] [--at-most 1.05] [--only TEXT] [--quick]
                                [--json]
  REF          the commit to compare with: a hash, a tag, a branch
  --rounds N   paired rounds of each work, at least ${FEWEST_ROUNDS}
  --at-most R  the bound for the ratio of CPU times, this version's to the commit's
  --only TEXT  only works whose name contains this text
  --quick      ${FEWEST_ROUNDS} rounds with a fifth of the requests
  --json       one JSON object, with the figures of every round
Exit codes: 0 if every work is within the bound, 1 if one is over or noise hides it, 2 for a
usage error.`

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    "at-most": { type: "string", default: "1.05" },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

const count = Number(asked.rounds ?? (asked.quick ? FEWEST_ROUNDS : 9))
const atMost = Number(asked["at-most"])
const works = comparedWorks(asked.quick).filter(({ work }) =>
  titleOf(work).toLowerCase().includes(asked.only.toLowerCase())
)
const [ref] = positionals
const isAsked = ref !== undefined && positionals.length === 1 && works.length > 0
if (asked.help || !isAsked || !(count >= FEWEST_ROUNDS) || !(atMost > 0)) {
  const titles = comparedWorks(false).map(({ work }) => `  ${titleOf(work)}`)
  console.error([USAGE, "", "The works:", ...titles].join("\n"))
  process.exit(asked.help ? 0 : 2)
}
const commit = commitOf(ref)
if (commit === undefined) {
  console.error(`git resolves ${ref} to no commit`)
  process.exit(2)
}

const progress = (text: string): void => {
  process.stderr.write(text)
}

const place = process.env["PETSTORE_BENCH_FOLDER"] ?? tmpdir()
const folder = mkdtempSync(join(place, "petstore-against-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
// Exit handlers kill the servers and remove the folder.
const STOPPED = 130
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => process.exit(STOPPED))

if (hasOtherDependencies(commit))
  progress(`${commit} has another package-lock.json; each runs with its own\n`)
progress(`building ${commit} `)
const versions = { before: checkOut(commit, join(folder, "checkout")), after: thisVersion }
progress(".\n")

const files = join(folder, "files")
mkdirSync(files)
const cores = pinLoad()

const comparisons: Array<Row & { readonly rounds: ReadonlyArray<Round> }> = []
for (const compared of works) {
  progress(`${titleOf(compared.work)} `)
  const rounds: Array<Round> = []
  const start = (version: Version) => () =>
    startServer(version, compared.work.storage, files, cores?.server)
  const starts = { before: start(versions.before), after: start(versions.after) }
  for (let nth = 0; nth < count; nth++) {
    rounds.push(await measureRound(compared, starts, nth))
    progress(".")
  }
  const comparison = compare(rounds, atMost)
  progress(` ${comparison.ratio.toFixed(3)}\n`)
  comparisons.push({ work: titleOf(compared.work), ...comparison, rounds })
}

const machine = thisMachine()
if (asked.json) {
  const date = new Date().toISOString().slice(0, 10)
  console.log(JSON.stringify({ date, machine, cores, before: commit, atMost, comparisons }))
} else {
  console.log(`\n${machineText(machine)}; ${count} rounds; the server's CPU for each request\n`)
  console.log(table(commit, atMost, comparisons))
}
process.exit(comparisons.every(({ verdict }) => verdict === "within") ? 0 : 1)
