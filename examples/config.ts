// Options from Effect's Config: where the shop is kept, and whether orders take from stock, are for whoever runs the program to say.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OrderingPolicy, PetStore, PlanTable, SPECIFIED_PLANS } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { Config, ConfigProvider, Console, Effect, Layer } from "effect"

const storage = Layer.unwrapEffect(
  Effect.map(
    Config.all({
      filename: Config.string("FILE"),
      durability: Config.literal("full", "relaxed")("DURABILITY").pipe(Config.withDefault("full"))
    }),
    SqliteStorage.layer
  )
)

const policies = Layer.unwrapEffect(
  Effect.map(
    Config.all({
      recordOnly: Config.boolean("RECORD_ONLY").pipe(Config.withDefault(false)),
      freePerMinute: Config.integer("FREE_PER_MINUTE").pipe(Config.withDefault(60))
    }),
    ({ recordOnly, freePerMinute }) =>
      Layer.merge(
        Layer.succeed(OrderingPolicy, recordOnly ? OrderingPolicy.recordOnly : OrderingPolicy.takeFromStock),
        Layer.succeed(PlanTable, {
          ...SPECIFIED_PLANS,
          free: { ...SPECIFIED_PLANS.free, perMinute: freePerMinute }
        })
      )
  )
)

const program = Effect.gen(function* () {
  const store = yield* PetStore
  const { id } = yield* store.accounts.create({ name: "Ann", plan: "free" })
  const { minute } = yield* store.limits.get(id)
  yield* Console.log(`a free account has ${minute.limit} requests a minute`)
})

const folder = mkdtempSync(join(tmpdir(), "petstore-config-"))

// The environment, unless another provider is given, as here.
const provider = ConfigProvider.fromMap(
  new Map([
    ["FILE", join(folder, "pets.db")],
    ["FREE_PER_MINUTE", "30"]
  ])
)
await program.pipe(
  Effect.provide(PetStore.layer().pipe(Layer.provide(storage), Layer.provide(policies))),
  Effect.withConfigProvider(provider),
  Effect.runPromise
)
rmSync(folder, { recursive: true })
