/** Opens a store, serves it, says how to call it, and closes both when asked to stop. */
import process from "node:process"
import { inspect } from "node:util"
import { type OpenPetStore, PetStore, type Plan } from "@petstore/core"
import { type FailedRequest, serve as serveOverHttp } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { untilSignal } from "../terminal/signals.js"
import { formatCount, writeLine } from "../terminal/text.js"
import { firstCalls } from "./firstCalls.js"

export type ServeOptions = {
  readonly host: string
  readonly port: number
  readonly memory: boolean
  readonly demo: boolean
  readonly demoPlan: Plan
  readonly basePath: string
  readonly trustProxy: number
}

/** What the demo key of the enterprise plan may do: more than one machine can ask for. */
const AGREED = { perMinute: 10_000_000, perDay: 1_000_000_000 }

const openedStore = Effect.acquireRelease(
  Effect.promise(() => PetStore.open({ storage: MemoryStorage.layer })),
  (store) => Effect.promise(() => store.close())
)

const listening = (store: OpenPetStore, { host, port, basePath, trustProxy }: ServeOptions) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => serveOverHttp(store, { host, port, basePath, trustProxy, onError: logFailure }),
      catch: (cause) => CommandFailed.because(whyNotListening(cause, host, port))
    }),
    (server) => Effect.promise(() => server.close())
  )

/** What callers see as 500, 503 or 507, with its cause. */
const logFailure = (cause: unknown, { requestId, operation }: FailedRequest): void =>
  writeLine(
    process.stderr,
    `petstore: request ${requestId} (${operation ?? "no operation"}) failed: ${inspect(cause)}`
  )

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "something listens there already; --port 0 picks a free port",
  EACCES: "that port needs more rights; ports from 1024 do not",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no host of that name"
}

const whyNotListening = (cause: unknown, host: string, port: number): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return `can't listen on ${host}, port ${port}: ${REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))}`
}

/** A key to call the store with at once. */
const demoKey = async (store: OpenPetStore, plan: Plan): Promise<string> => {
  const account = await store.accounts.create({
    name: "Demo",
    plan,
    ...(plan === "enterprise" ? AGREED : {})
  })
  const { key } = await store.keys.create(account.id, { name: "demo" })
  return key
}

const say = (line: string): void => writeLine(process.stdout, line)

export const serve = (asked: ServeOptions): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const stop = yield* Effect.fork(untilSignal)
      const store = yield* openedStore
      const key = yield* Effect.promise(() => demoKey(store, asked.demoPlan))
      const shop = asked.demo
        ? yield* Effect.promise(() => import("../demo/DemoShop.js").then((demo) => demo.fillDemoShop(store)))
        : undefined
      const { url } = yield* listening(store, asked)
      say(`petstore listens on ${url}`)
      say(
        asked.memory
          ? "The store is in memory and ends with the server."
          : "There is no file store yet, so the store is in memory and ends with the server."
      )
      if (shop !== undefined) {
        say(
          `Demo shop: ${shop.categories} categories, ${formatCount(shop.animals)} animals, ${shop.orders} orders.`
        )
      }
      say(`Key (${asked.demoPlan} plan): ${key}`)
      say("")
      for (const line of firstCalls(url, key, shop !== undefined)) say(line)
      yield* stop
    })
  )
