/** The options of the Effect API, given as values and taken from a `Config`. */
import { join } from "node:path"
import { OrderingPolicy, PetStore, SPECIFIED_PLANS } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { Config, ConfigProvider, Effect, Exit, Layer, Redacted } from "effect"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "./storages.js"

const configured = PetStore.layerConfig({
  ordering: Config.boolean("RECORD_ONLY").pipe(
    Config.map((recordOnly) =>
      recordOnly ? OrderingPolicy.recordOnly : OrderingPolicy.takeFromStock
    )
  ),
  plans: {
    free: { perMinute: Config.integer("PER_MINUTE"), perDay: Config.succeed(1_000) },
    pro: Config.succeed(SPECIFIED_PLANS.pro),
    business: Config.succeed(SPECIFIED_PLANS.business)
  },
  banPolicy: {
    strikes: Config.integer("STRIKES"),
    withinMs: Config.succeed(1_000),
    graceMs: Config.succeed(0),
    firstBanMs: Config.succeed(1_000),
    longestBanMs: Config.succeed(1_000),
    seriesMs: Config.succeed(0)
  },
  randomBytes: Config.succeed((count: number) => new Uint8Array(count)),
  changeRetention: {
    count: Config.integer("CHANGES_KEPT").pipe(Config.withDefault(100)),
    ageMs: Config.succeed(Infinity)
  },
  webhooks: {
    secret: Config.redacted("WEBHOOK_SECRET").pipe(
      Config.map(Redacted.value),
      Config.withDefault("a secret of 24 characters")
    ),
    allowHttp: Config.boolean("WEBHOOKS_OVER_HTTP").pipe(Config.withDefault(false))
  }
})

const configuredBy = (values: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values))))

/** What an order of a sold-out pet, a free account and a new key show of the options. */
const observed = Effect.gen(function* () {
  const store = yield* PetStore
  const { id: categoryId } = yield* store.categories.create({ name: "Fish" })
  const { id: petId } = yield* store.pets.create({ name: "Goldie", categoryId, status: "sold" })
  const order = yield* Effect.either(store.orders.place({ petId }))
  const { id } = yield* store.accounts.create({ plan: "free" })
  const { minute } = yield* store.limits.get(id)
  const { strikes } = yield* store.limits.explain(id)
  const { key } = yield* store.keys.create(id)
  return { order: order._tag, perMinute: minute.limit, strikes: strikes.of, key: key.slice(0, 12) }
})

describe("PetStore", () => {
  test("layerConfig takes each option from the configuration", async () => {
    const layer = Layer.provide(configured, MemoryStorage.layer)
    const values = { RECORD_ONLY: "true", PER_MINUTE: "7", STRIKES: "3" }
    const shown = await observed.pipe(
      Effect.provide(layer),
      configuredBy(values),
      Effect.runPromise
    )
    expect(shown).toEqual({ order: "Right", perMinute: 7, strikes: 3, key: "ps_000000000" })
  })

  test("layerConfig takes how long changes are kept, and what webhooks need, from there too", async () => {
    const program = Effect.gen(function* () {
      const store = yield* PetStore
      const { url } = yield* store.webhooks.create({ url: "http://shop.example/hooks" })
      for (let change = 1; change <= 128; change++) yield* store.categories.create({ name: "Fish" })
      const kept = yield* store.changes.page({ limit: 1_000 })
      return { url, kept: Array.isArray(kept) ? kept.length : kept }
    })
    const values = {
      RECORD_ONLY: "true",
      PER_MINUTE: "7",
      STRIKES: "3",
      CHANGES_KEPT: "10",
      WEBHOOKS_OVER_HTTP: "true"
    }
    const layer = Layer.provide(configured, MemoryStorage.layer)
    const found = await program.pipe(Effect.provide(layer), configuredBy(values), Effect.runPromise)
    expect(found).toEqual({ url: "http://shop.example/hooks", kept: 10 })
  })

  test("layerConfig fails with a ConfigError for what the store refuses, and does not repeat a secret", async () => {
    const layer = Layer.provide(configured, MemoryStorage.layer)
    const values = { RECORD_ONLY: "true", PER_MINUTE: "7", STRIKES: "3", WEBHOOK_SECRET: "hunter2" }
    const error = await observed.pipe(
      Effect.provide(layer),
      configuredBy(values),
      Effect.flip,
      Effect.runPromise
    )
    expect(error).toMatchObject({
      _op: "InvalidData",
      message: expect.stringContaining("24 characters at least")
    })
    expect(JSON.stringify(error)).not.toContain("hunter2")
  })

  test("layerConfig fails with a ConfigError, which names what is missing", async () => {
    const layer = Layer.provide(configured, MemoryStorage.layer)
    const values = { RECORD_ONLY: "true", STRIKES: "3" }
    const error = await observed.pipe(
      Effect.provide(layer),
      configuredBy(values),
      Effect.flip,
      Effect.runPromise
    )
    expect(error).toMatchObject({ _op: "MissingData", path: ["PER_MINUTE"] })
  })

  test("layer takes the options as values", async () => {
    const plans = { ...SPECIFIED_PLANS, free: { perMinute: 9, perDay: 90 } }
    const layer = PetStore.layer({ plans, ordering: OrderingPolicy.recordOnly })
    const shown = await Effect.runPromise(
      Effect.provide(observed, Layer.provide(layer, MemoryStorage.layer))
    )
    expect(shown).toMatchObject({ order: "Right", perMinute: 9, strikes: 10 })
  })
})

describe("SqliteStorage", () => {
  test("layerConfig opens the file that the configuration names, as it says", async () => {
    const filename = join(temporaryFolder(), "pets.db")
    const storage = SqliteStorage.layerConfig({
      filename: Config.string("FILE"),
      maxPages: Config.integer("MAX_PAGES")
    })
    const layer = Layer.provide(PetStore.layer(), storage)
    const fill = Effect.gen(function* () {
      const store = yield* PetStore
      yield* Effect.forever(
        store.categories.create({ name: "Fish", description: "x".repeat(2_000) })
      )
    })
    const exit = await fill.pipe(
      Effect.provide(layer),
      configuredBy({ FILE: filename, MAX_PAGES: "200" }),
      Effect.runPromiseExit
    )
    expect(Exit.isFailure(exit) && String(exit.cause)).toContain("StorageError")
  })
})
