// Options from Effect's Config: the environment decides where the shop is stored, and whether
// orders take stock.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OrderingPolicy, PetStore, SPECIFIED_PLANS } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { Config, ConfigProvider, Console, Effect, Layer } from "effect"

const storage = SqliteStorage.layerConfig({
  filename: Config.string("FILE"),
  durability: Config.literal("full", "relaxed")("DURABILITY").pipe(Config.withDefault("full"))
})

const plansWithFree = (perMinute: number) => ({
  ...SPECIFIED_PLANS,
  free: { perMinute, perDay: 1_000 }
})

const store = PetStore.layerConfig({
  ordering: Config.boolean("RECORD_ONLY").pipe(
    Config.withDefault(false),
    Config.map((recordOnly) =>
      recordOnly ? OrderingPolicy.recordOnly : OrderingPolicy.takeFromStock
    )
  ),
  plans: Config.integer("FREE_PER_MINUTE").pipe(Config.withDefault(60), Config.map(plansWithFree))
})

const program = Effect.gen(function* () {
  const store = yield* PetStore
  const { id } = yield* store.accounts.create({ name: "Ann", plan: "free" })
  const { minute } = yield* store.limits.get(id)
  yield* Console.log(`a free account has ${minute.limit} requests a minute`)
})

const folder = mkdtempSync(join(tmpdir(), "petstore-config-"))

// By default, the provider is the environment. Here it is another one.
const provider = ConfigProvider.fromMap(
  new Map([
    ["FILE", join(folder, "pets.db")],
    ["FREE_PER_MINUTE", "30"]
  ])
)
await program.pipe(
  Effect.provide(Layer.provide(store, storage)),
  Effect.withConfigProvider(provider),
  Effect.runPromise
)
rmSync(folder, { recursive: true })
