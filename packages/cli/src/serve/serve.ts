/** Opens a store, serves it, says how to call it, and closes both when asked to stop. */
import process from "node:process"
import { type OpenPetStore, PetStore, type Plan } from "@petstore/core"
import { failureLine, requestLine, serve as serveOverHttp } from "@petstore/http-adapter"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.js"
import { attempt } from "../store/attempt.js"
import { DEFAULT_DB } from "../store/options.js"
import { untilSignal } from "../terminal/signals.js"
import { formatCount, shellWord, shortTime, writeLine } from "../terminal/text.js"
import { type Beginning, begin } from "./beginning.js"
import { firstCalls } from "./firstCalls.js"
import { type Bounds, boundsOf } from "./bounds.js"
import { type Delivering, makeDelivering } from "./delivering.js"
import { type Lifecycle, type LifecycleAsked, lifecycleSettings } from "./lifecycle.js"
import { type Log, makeLog } from "./log.js"

export type ServeOptions = Bounds &
  LifecycleAsked & {
    readonly host: string
    readonly port: number
    /** The file; undefined for the default one. */
    readonly db: string | undefined
    readonly memory: boolean
    readonly demo: boolean
    /** The plan of the key that is printed; undefined for the default one. */
    readonly demoPlan: Plan | undefined
    readonly basePath: string
    readonly trustProxy: number
    readonly experimental: boolean
    /** Origins whose pages may call from a browser. */
    readonly cors: ReadonlyArray<string>
    readonly requireConditions: boolean
    /** Whether only failures are logged. */
    readonly quiet: boolean
    readonly noMetrics: boolean
    /** Whether webhooks may be sent to over plain http, and to private addresses. */
    readonly allowHttpWebhooks: boolean
    readonly allowPrivateWebhooks: boolean
    /** The file with the secret that those of webhooks are made from; undefined for the one beside the store. */
    readonly webhookSecretFile: string | undefined
  }

const inMemory = Effect.acquireRelease(
  Effect.promise(async () => {
    const { MemoryStorage } = await import("@petstore/storage-memory")
    return PetStore.open({ storage: MemoryStorage.layer })
  }),
  (store) => Effect.promise(() => store.close())
)

const inFile = (
  filename: string,
  { webhookSecretFile, allowHttpWebhooks, allowPrivateWebhooks }: ServeOptions
): Effect.Effect<OpenPetStore, CommandFailed, Scope.Scope> =>
  Effect.flatMap(
    Effect.promise(() => Promise.all([import("../store/StoreFile.js"), import("../webhooks/secretFile.js")])),
    ([{ openedStore }, { knownSecret }]) =>
      openedStore(filename, {
        secret: knownSecret({ db: filename, file: webhookSecretFile }),
        allowHttp: allowHttpWebhooks,
        allowPrivateAddresses: allowPrivateWebhooks
      })
  )

/** For so long after a signal readiness is denied before connections are, so that whoever asks for it sees it. */
const DRAIN_MS = 250

const listening = (
  store: OpenPetStore,
  asked: ServeOptions,
  lifecycle: Lifecycle,
  isReady: () => boolean,
  log: Log,
  gauges: Delivering["gauges"]
) => {
  const { host, port, basePath, trustProxy, experimental, cors, requireConditions, quiet, noMetrics } = asked
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        serveOverHttp(store, {
          host,
          port,
          basePath,
          trustProxy,
          experimental,
          drainMs: DRAIN_MS,
          metrics: !noMetrics,
          cors,
          requireConditions,
          ...boundsOf(asked),
          ...lifecycle,
          isReady,
          gauges,
          onError: (cause, request) => log.write(failureLine(store.engine.nowMs(), cause, request)),
          ...(quiet ? {} : { onRequest: (report) => log.write(requestLine(report)) })
        }),
      catch: (cause) => CommandFailed.because(whyNotListening(cause, host, port))
    }),
    (server) => Effect.promise(() => server.close())
  )
}

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

const say = (line: string): void => writeLine(process.stdout, line)

/** The last line of a start, by which others can tell that all is said. */
const LAST_LINE = "Ctrl-C stops it."

const sayBeginning = (
  url: string,
  { shop, stocked, key }: Beginning,
  file: string | undefined,
  plan: Plan,
  demo: boolean
): void => {
  say(`petstore listens on ${url}`)
  say(`A page to try it in a browser: ${url}/docs`)
  say(
    file === undefined
      ? "The store is in memory and ends with the server."
      : `The store is in ${file}${stocked && shop === undefined ? "; what is in it is kept" : ""}.`
  )
  if (shop !== undefined) {
    say(
      `Demo shop: ${shop.categories} categories, ${formatCount(shop.animals)} animals, ${shop.orders} orders.`
    )
  }
  if (key === undefined) {
    const option = file === undefined || file === DEFAULT_DB ? "" : ` --db ${shellWord(file)}`
    say(`Keys are shown only when they are made. Another one: petstore keys create --plan ${plan}${option}`)
  } else {
    const end = key.expiresAt === undefined ? "" : `, until ${shortTime(key.expiresAt)} UTC`
    say(`Key (${plan} plan${end}), shown only now: ${key.key}`)
    if (demo && stocked && shop === undefined) say("Keys of earlier starts go on working until they end.")
    say("")
    const contents = shop !== undefined ? "demo" : stocked ? "kept" : "empty"
    for (const line of firstCalls(url, key.key, contents)) say(line)
  }
  say(LAST_LINE)
}

export const serve = (asked: ServeOptions): Effect.Effect<void, CommandFailed> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { memory, demo } = asked
      if (memory && asked.db !== undefined) {
        yield* CommandFailed.usage("--memory and --db exclude each other")
      }
      const lifecycle = yield* lifecycleSettings(asked)
      const plan = asked.demoPlan ?? (memory || demo ? "enterprise" : "pro")
      const file = memory ? undefined : (asked.db ?? DEFAULT_DB)
      const stop = yield* Effect.fork(untilSignal)
      const store = yield* file === undefined ? inMemory : inFile(file, asked)
      const log = makeLog(process.stderr)
      const delivering = makeDelivering(log, asked.quiet)
      yield* Effect.addFinalizer(() => Effect.promise(() => delivering.end().finally(log.flush)))
      let ready = false
      // The port comes first: a key that was made before it turned out to be taken would never be shown.
      const { url } = yield* listening(store, asked, lifecycle, () => ready, log, delivering.gauges)
      const beginning = yield* attempt(() => begin(store, { demo, plan }))
      ready = true
      // Nobody else can add one to a store in memory.
      if (file !== undefined) yield* Effect.promise(() => delivering.begin(store))
      sayBeginning(url, beginning, file, plan, demo)
      yield* stop
      // It ends while the server does; the finalizers wait for both.
      void delivering.end()
    })
  )
