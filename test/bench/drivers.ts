/**
 * `npm run bench -- drivers`: the CPU time of the store's operations on a file by `node:sqlite`, as
 * a multiple of that by better-sqlite3, in one process and in paired rounds.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { OpenPetStore } from "@petstore/core"
import {
  type DriverInfo,
  driverInfo,
  type DriverName,
  type SqliteOptions
} from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { machineText } from "./report/Report.js"
import { thisMachine } from "./report/thisMachine.js"
import { line, median, times } from "./sqlite/rounds.js"
import { CATEGORIES, openStore, petOf, put } from "./sqlite/stores.js"

const USAGE = `npm run bench -- drivers [--rounds 25]
Both drivers have to be installed: better-sqlite3 12 on Node 22, 13 on later ones.
Exit codes: 0 if the ratios are within their bounds, 1 if not, 2 without a driver or for a usage
error.`

const { values: asked } = parseArgs({ options: { rounds: { type: "string", default: "25" } } })
const rounds = Number(asked.rounds)
if (!(rounds > 0)) {
  console.error(USAGE)
  process.exit(2)
}

const found = async (driver: DriverName): Promise<DriverInfo> => {
  try {
    return await Effect.runPromise(driverInfo({ driver }))
  } catch (thrown) {
    console.error(`${thrown instanceof Error ? thrown.message : String(thrown)}\n\n${USAGE}`)
    return process.exit(2)
  }
}
const NAMES = ["node", "better-sqlite3"] as const
const [builtin, installed] = [await found(NAMES[0]), await found(NAMES[1])]

/** What is done, and how many times in a round. */
type Work = {
  readonly name: string
  readonly calls: number
  readonly durability: NonNullable<SqliteOptions["durability"]>
  readonly run: (store: OpenPetStore, call: number) => unknown
}

const PETS = 10_000
const TOGETHER = 64

const create = (store: OpenPetStore, call: number) => store.direct.pets.create(petOf(PETS + call))
const orders = (store: OpenPetStore) =>
  Promise.all(
    Array.from({ length: TOGETHER }, (_, pet) =>
      store.orders.place({ petId: 1 + pet, quantity: 1 })
    )
  )

const WORKS: ReadonlyArray<Work> = [
  {
    name: "pets.get",
    calls: 4_000,
    durability: "relaxed",
    run: (store, call) => store.direct.pets.get(1 + (call % PETS))
  },
  {
    name: "pets.list, 50 by name",
    calls: 300,
    durability: "relaxed",
    run: (store, call) =>
      store.direct.pets.list({ sort: "name", limit: 50, categoryId: 1 + (call % CATEGORIES) })
  },
  { name: "pets.create, relaxed", calls: 1_000, durability: "relaxed", run: create },
  { name: "pets.create, full", calls: 200, durability: "full", run: create },
  {
    name: `${TOGETHER} orders.place at once, relaxed`,
    calls: 8,
    durability: "relaxed",
    run: orders
  },
  { name: `${TOGETHER} orders.place at once, full`, calls: 4, durability: "full", run: orders }
]

const folder = mkdtempSync(join(tmpdir(), "petstore-drivers-"))
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

const opened = async (driver: DriverName, durability: Work["durability"]) => {
  const store = await openStore({
    filename: join(folder, `${driver}-${durability}.db`),
    driver,
    durability
  })
  await put(store, PETS)
  for (let pet = 1; pet <= TOGETHER; pet++) store.direct.inventory.set(pet, { quantity: 1_000_000 })
  return store
}

const stores = {
  node: { relaxed: await opened("node", "relaxed"), full: await opened("node", "full") },
  "better-sqlite3": {
    relaxed: await opened("better-sqlite3", "relaxed"),
    full: await opened("better-sqlite3", "full")
  }
}

/** Microseconds of CPU time for each call. */
const measure = async (
  driver: DriverName,
  { durability, calls, run }: Work,
  round: number
): Promise<number> => {
  const store = stores[driver][durability]
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await run(store, round * calls + call)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

/** On Node 22 the ratio is to better-sqlite3 12, which is faster than 13. */
const isNode22 = process.versions.node.startsWith("22.")
const [MEDIAN_AT_MOST, EACH_AT_MOST] = isNode22 ? [1.1, 1.15] : [1, Number.POSITIVE_INFINITY]

console.log(`${machineText(thisMachine())}; CPU time, ${rounds} rounds`)
const versions = `${builtin.sqliteVersion} and ${installed.sqliteVersion}`
console.log(`node:sqlite ÷ better-sqlite3, with SQLite ${versions}`)
console.log("")
const ratios: Array<number> = []
for (const work of WORKS) {
  const each: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    const figures = { node: 0, "better-sqlite3": 0 }
    // The first in one round is the last in the next. The first round warms up.
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed())
      figures[name] = await measure(name, work, round)
    if (round > 0) each.push(figures.node / figures["better-sqlite3"])
  }
  const ratio = median(each)
  ratios.push(ratio)
  line(work.name, times(ratio), Number.isFinite(EACH_AT_MOST) ? `at most ${EACH_AT_MOST}` : "")
}
const overall = median(ratios)
line("median of all", times(overall), `at most ${MEDIAN_AT_MOST}`)
for (const { relaxed, full } of Object.values(stores)) {
  await relaxed.close()
  await full.close()
}
process.exitCode = overall <= MEDIAN_AT_MOST && Math.max(...ratios) <= EACH_AT_MOST ? 0 : 1
