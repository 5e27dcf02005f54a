/**
 * `npm run bench -- sqlite`: the store on a file beside bare SQLite with the same
 * statements, schema and durability, in one process and in turns. Medians over rounds; ratios are
 * medians of the rounds' ratios. An argument replaces 1,000,000 pets.
 */
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Index, pets, type Range, scan } from "@petstore/core/storage"
import { asArrays } from "./bareSqlite.js"
import { interleave, line, median, micros, ratio, times } from "./sqlite/rounds.js"
import {
  bareCreate,
  bareGet,
  emptyFile,
  fill,
  openBare,
  openDirect,
  openStore,
  petOf
} from "./sqlite/stores.js"

const most = Number(process.argv[2] ?? 1_000_000)
const few = 10_000
const folder = mkdtempSync(
  join(process.env["PETSTORE_BENCH_FOLDER"] ?? tmpdir(), "petstore-bench-")
)
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)

/** How long this machine's disk takes to say that a page is on it. */
const sync = async (): Promise<void> => {
  const file = openSync(at("sync"), "w")
  const page = Buffer.alloc(4_096, 1)
  const found = await interleave(9, {
    alone: {
      calls: 50,
      run: (call) => {
        writeSync(file, page, 0, page.length, call * page.length)
        fdatasyncSync(file)
      }
    }
  })
  closeSync(file)
  line("write and sync 4 KiB of a file", micros(found("alone")))
}

const gets = async (): Promise<void> => {
  const store = await openStore({ filename: at("most.db") })
  const file = openBare(at("most.db"), "full")
  const objects = bareGet(file)
  const arrays = asArrays(bareGet(file))
  const idOf = (call: number) => 1 + ((call * 7_919) % most)
  const found = await interleave(31, {
    ours: { calls: 5_000, run: (call) => store.direct.pets.get(idOf(call)) },
    objects: { calls: 5_000, run: (call) => objects.get(idOf(call)) },
    arrays: { calls: 5_000, run: (call) => arrays.get(idOf(call)) }
  })
  line("get by id: store.direct", micros(found("ours")))
  line("get by id: the bare statement", micros(found("objects")))
  line(
    "  ratio",
    times(ratio(found("ours"), found("objects"))),
    "target: at most 1.5 x, later 1.3 x"
  )
  line(
    "  ratio to the bare statement that makes no objects",
    times(ratio(found("ours"), found("arrays")))
  )
  file.close()
  await store.close()
}

const creates = async (durability: "full" | "relaxed"): Promise<void> => {
  const store = await openStore({
    filename: await emptyFile(folder, `ours-${durability}.db`),
    durability
  })
  const file = openBare(await emptyFile(folder, `bare-${durability}.db`), durability)
  const bare = bareCreate(file)
  const calls = durability === "full" ? 200 : 1_000
  const found = await interleave(21, {
    ours: { calls, run: (call) => store.direct.pets.create(petOf(call)) },
    bare: { calls, run: bare }
  })
  line(`create, ${durability}: store.direct`, micros(found("ours")))
  line(`create, ${durability}: the bare statement`, micros(found("bare")))
  line(
    "  ratio",
    times(ratio(found("ours"), found("bare"))),
    durability === "full" ? "target: at most 2 x, later 1.5 x" : ""
  )
  file.close()
  await store.close()
}

const orders = async (): Promise<void> => {
  const store = await openStore({ filename: await emptyFile(folder, "orders.db") })
  for (let number = 0; number < 64; number++) {
    const { id } = store.direct.pets.create(petOf(number))
    store.direct.inventory.set(id, { quantity: 2 ** 31 - 1 })
  }
  const order = (call: number) => ({ petId: 1 + (call % 64), quantity: 1 })
  const found = await interleave(41, {
    together: { calls: 64, run: (call) => store.orders.place(order(call)) },
    alone: { calls: 64, run: (call) => store.direct.orders.place(order(call)) }
  })
  line("a durable order, 64 at once", micros(found("together")))
  line("a durable order, each with a sync of its own", micros(found("alone")))
  line(
    "  ratio of throughput",
    times(ratio(found("alone"), found("together"))),
    "target: at least 6 x"
  )
  await store.close()
}

const pages = async (): Promise<void> => {
  const index = (name: string): Index =>
    pets.indexes.find((each) => each.name === name) ?? { name, on: [], sort: "id" }
  const sizes = { few: await openDirect(at("few.db")), most: await openDirect(at("most.db")) }
  const range = (name: string): Range => ({
    index: index(name),
    prefix: [3, "available"],
    atLeast: null,
    below: null
  })
  const page = (size: keyof typeof sizes, name: string) => ({
    calls: 300,
    run: (call: number) => {
      const { name: value } = petOf((call % 100) * 97)
      const id = Math.floor(((call % 100) / 120) * (size === "few" ? few : most))
      const by = range(name)
      return sizes[size].read(() =>
        scan(pets, by, { limit: 50, after: { value: by.index.sort === "id" ? id : value, id } })
      )
    }
  })
  for (const [name, sort] of [
    ["category_status", "id"],
    ["category_status_name", "name"]
  ] as const) {
    const found = await interleave(31, { few: page("few", name), most: page("most", name) })
    line(`page of 50 by category and status, sorted by ${sort}, ${few} pets`, micros(found("few")))
    line(`the same, ${most} pets`, micros(found("most")))
    line("  ratio", times(ratio(found("most"), found("few"))), "target: at most 1.5 x")
  }
}

const opening = async (): Promise<void> => {
  const ms: Array<number> = []
  for (let round = 0; round < 15; round++) {
    const startMs = performance.now()
    const store = await openStore({ filename: at("most.db") })
    ms.push(performance.now() - startMs)
    await store.close()
  }
  line(`open a store of ${most} pets`, `${median(ms).toFixed(1)} ms`, "target: below 50 ms")
}

const size = (): void => {
  const { size: bytes } = statSync(at("most.db"))
  line(
    `file of ${most} pets`,
    `${(bytes / 1e6).toFixed(0)} MB`,
    "later target: at most 150 MB at 1,000,000"
  )
  line("  for each pet", `${(bytes / most).toFixed(0)} bytes`)
}

await sync()
await fill(at("few.db"), few)
line(
  "put in through the library",
  `${Math.round(await fill(at("most.db"), most))} pets/s`,
  "later target: 40000"
)
size()
await opening()
await gets()
await creates("full")
await creates("relaxed")
await orders()
await pages()
process.exit(0)
