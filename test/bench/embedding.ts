/**
 * What the store costs inside a host, on one core, paired with a bare `Map`: medians of a get and a
 * create through promises, of opening a store in memory, of snapshot, restore and fork of a test
 * store with 10,000 records; what 1,000 open stores weigh; what decoding costs beside the same by
 * effect/Schema; and how long a new process takes to import @petstore/core, and what that is made
 * of. Run with `node --expose-gc`.
 */
import { execFileSync } from "node:child_process"
import { PetStore } from "@petstore/core"
import { decoderOf, NewCategory, NewOrder, NewPet, OrderPatch } from "@petstore/core/schema"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import * as Schema from "effect/Schema"

const ROUNDS = 15
const CALLS = 5_000
const IMPORTS = 11
const STORES = 1_000
const RECORDS = 10_000

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

const microseconds = async (calls: number, run: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now()
  await run()
  return ((performance.now() - startedMs) * 1_000) / calls
}

const report = (what: string, value: number, unit: string, bound: string) =>
  console.log(`${what.padEnd(34)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(3)} ${bound}`)

const calls = async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const { id: categoryId } = await store.categories.create({ name: "Fish" })
  const pet = await store.pets.create({ name: "Goldie", categoryId })
  const map = new Map<number, object>([
    [1, { id: 1, name: "Goldie", categoryId, status: "available" }]
  ])
  const { direct } = store
  if (direct === undefined) throw new Error("storage in memory answers at once")
  const figures: {
    readonly [
      Name in "get" | "mapGet" | "create" | "mapSet" | "directGet" | "directCreate"
    ]: Array<number>
  } = {
    directGet: [],
    directCreate: [],
    get: [],
    mapGet: [],
    create: [],
    mapSet: []
  }
  for (let round = 0; round < ROUNDS; round++) {
    figures.directGet.push(
      await microseconds(CALLS, async () => {
        for (let at = 0; at < CALLS; at++) direct.pets.get(pet.id)
      })
    )
    figures.directCreate.push(
      await microseconds(CALLS, async () => {
        for (let at = 0; at < CALLS; at++) direct.pets.create({ name: `Fish ${at}`, categoryId })
      })
    )
    figures.get.push(
      await microseconds(CALLS, async () => {
        for (let at = 0; at < CALLS; at++) await store.pets.get(pet.id)
      })
    )
    figures.mapGet.push(
      await microseconds(CALLS, async () => {
        for (let at = 0; at < CALLS; at++) await Promise.resolve({ ...map.get(pet.id) })
      })
    )
    figures.create.push(
      await microseconds(CALLS, async () => {
        for (let at = 0; at < CALLS; at++)
          await store.pets.create({ name: `Fish ${at}`, categoryId })
      })
    )
    figures.mapSet.push(
      await microseconds(CALLS, async () => {
        for (let at = 0; at < CALLS; at++) {
          const id = map.size + 1
          await Promise.resolve(
            map.set(id, { id, name: `Fish ${at}`, categoryId, status: "available" })
          )
        }
      })
    )
  }
  report("get, direct", median(figures.directGet), "µs", "at most 0.5")
  report("create, direct", median(figures.directCreate), "µs", "at most 3")
  report("get, awaited", median(figures.get), "µs", "at most 2")
  report("  bare Map, awaited", median(figures.mapGet), "µs", "")
  report("create, awaited", median(figures.create), "µs", "at most 6")
  report("  bare Map, awaited", median(figures.mapSet), "µs", "")
  await store.close()
}

const opening = async () => {
  const spans: Array<number> = []
  for (let at = 0; at < 200; at++) {
    let close = async () => undefined as void
    spans.push(
      await microseconds(1_000, async () => {
        close = (await PetStore.open({ storage: MemoryStorage.layer })).close
      })
    )
    await close()
  }
  report("opening in memory", median(spans), "ms", "at most 2")
}

const states = async () => {
  const store = await openTestStore()
  const { id: categoryId } = await store.categories.create({ name: "Fish" })
  for (let at = 0; at < RECORDS; at++) store.direct.pets.create({ name: `Fish ${at}`, categoryId })
  const figures: Record<string, Array<number>> = {
    snapshot: [],
    restore: [],
    fork: [],
    "first write after it": []
  }
  for (let round = 0; round < 50; round++) {
    const before = await store.snapshot()
    figures["snapshot"]?.push(await microseconds(1_000, () => store.snapshot()))
    figures["first write after it"]?.push(
      await microseconds(1_000, () => store.pets.create({ name: "Another", categoryId }))
    )
    figures["restore"]?.push(await microseconds(1_000, () => store.restore(before)))
    let close = async () => undefined as void
    figures["fork"]?.push(
      await microseconds(1_000, async () => {
        close = (await store.fork()).close
      })
    )
    await close()
  }
  for (const [what, spans] of Object.entries(figures)) {
    report(
      `${what}, ${RECORDS} records`,
      median(spans),
      "ms",
      what.startsWith("first") ? "" : "below 1"
    )
  }
  await store.close()
}

const weight = async () => {
  global.gc?.()
  const before = process.memoryUsage().rss
  const stores = await Promise.all(
    Array.from({ length: STORES }, () => PetStore.open({ storage: MemoryStorage.layer }))
  )
  for (const store of stores) {
    const { id: categoryId } = await store.categories.create({ name: "Fish" })
    await store.pets.create({ name: "Goldie", categoryId })
  }
  global.gc?.()
  const { rss } = process.memoryUsage()
  report(`${STORES} open stores`, (rss - before) / 1_048_576, "MB", "below 300, process and all")
  report("  the process", rss / 1_048_576, "MB", "")
  for (const store of stores) await store.close()
}

/** One after the other in each round, so that a busy machine is as busy for all. */
const importing = () => {
  const asked: ReadonlyArray<readonly [what: string, specifiers: string, bound: string]> = [
    ["import of @petstore/core", "@petstore/core", "at most 150"],
    [
      "  of what it takes of effect",
      "effect/Effect effect/Layer effect/ManagedRuntime effect/Config",
      ""
    ],
    ["  of @petstore/core/schema", "@petstore/core/schema", ""],
    ["  of effect/Schema alone", "effect/Schema", ""]
  ]
  const spans = new Map<string, Array<number>>(asked.map(([what]) => [what, []]))
  for (let round = 0; round < IMPORTS; round++) {
    for (const [what, specifiers] of asked) {
      const imports = specifiers.split(" ").map((each) => `await import("${each}")`)
      const script =
        `const started = performance.now(); ${imports.join(";")}; ` +
        "console.log(performance.now() - started)"
      const args = ["--input-type=module", "-e", script]
      const told = execFileSync(process.execPath, args, {
        cwd: import.meta.dirname,
        encoding: "utf8"
      })
      spans.get(what)?.push(Number(told))
    }
  }
  for (const [what, , bound] of asked) report(what, median(spans.get(what) ?? []), "ms", bound)
}

const INPUTS: ReadonlyArray<readonly [string, Schema.Schema.AnyNoContext, (at: number) => object]> =
  [
    ["NewPet", NewPet, (at) => ({ name: `Fish ${at}`, categoryId: at + 1, status: "available" })],
    [
      "NewOrder",
      NewOrder,
      (at) => ({ petId: at + 1, quantity: 1, shipDate: "2026-01-31T09:30:00Z", complete: false })
    ],
    ["OrderPatch", OrderPatch, (at) => ({ petId: at + 1, quantity: null })],
    ["NewCategory", NewCategory, (at) => ({ name: `Fish ${at}`, description: "Those that swim" })]
  ]

/** As HTTP has them: each input parsed from a text of its own, and all decoders in use. */
const decoding = async () => {
  const figures = new Map<string, Array<number>>()
  const take = async (
    what: string,
    inputs: ReadonlyArray<unknown>,
    decode: (input: unknown) => object
  ) => {
    const spent = await microseconds(inputs.length, async () => {
      for (const input of inputs) decode(input)
    })
    figures.set(what, [...(figures.get(what) ?? []), spent])
  }
  for (let round = 0; round < 4 * ROUNDS; round++) {
    for (const [name, schema, make] of INPUTS) {
      const inputs = Array.from({ length: CALLS }, (_, at): unknown =>
        JSON.parse(JSON.stringify(make(at)))
      )
      await take(`decode ${name}`, inputs, decoderOf(schema))
      await take(
        `  by its schema`.padEnd(20) + name,
        inputs,
        Schema.decodeUnknownEither(schema, { onExcessProperty: "error" })
      )
    }
  }
  for (const [what, spans] of figures) report(what, median(spans), "µs", "")
}

/** Each in a process of its own, so that none finds what another has left behind. */
const parts: { readonly [Name in string]: () => Promise<void> | void } = {
  calls,
  opening,
  states,
  importing,
  decoding,
  weight
}
const [asked] = process.argv.slice(2)
if (asked !== undefined) await parts[asked]?.()
else
  for (const part of Object.keys(parts)) {
    execFileSync(process.execPath, ["--expose-gc", import.meta.filename, part], {
      stdio: "inherit"
    })
  }
