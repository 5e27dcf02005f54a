/** `petstore serve`: its options. */
import { availableParallelism } from "node:os"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { limitOptions, lifecycleOptions } from "./limits.js"
import { DEFAULT_DB } from "../store/options.js"
import { retentionOptions } from "../store/retention.js"
import { secretFile } from "../webhooks/options.js"
import { lazy } from "../terminal/lazy.js"
import { misused, optional, wholeNumber } from "../terminal/options.js"

/** More processes only wait for each other: one at a time writes. */
const MAX_WORKERS = 64

const serveOptions = {
  host: Options.text("host").pipe(
    Options.withPseudoName("HOST"),
    Options.withDescription("The address to listen on, 127.0.0.1 unless given; 0.0.0.0 for all of them"),
    Options.withDefault("127.0.0.1")
  ),
  port: wholeNumber("port", 0, 65_535).pipe(
    Options.withDescription("The port to listen on, 3000 unless given; 0 picks a free one"),
    Options.withDefault(3000)
  ),
  db: Options.text("db").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      `Keep the store in this file, ${DEFAULT_DB} in this folder unless given; it is made if it is not there`
    ),
    optional
  ),
  upgrade: Options.boolean("upgrade").pipe(
    Options.withDescription(
      "Bring a store that an earlier version wrote up to date first, as petstore upgrade does, with a copy beside it"
    )
  ),
  memory: Options.boolean("memory").pipe(
    Options.withDescription("Keep the store in memory: it starts empty and is gone when the server ends")
  ),
  demo: Options.boolean("demo").pipe(
    Options.withDescription(
      "Fill an empty store with a demo shop: 12 categories, 200 animals, stock and orders; and print a new key, good for a week, at every start"
    )
  ),
  demoPlan: Options.choice("demo-plan", ["free", "pro", "business", "enterprise"]).pipe(
    Options.withPseudoName("PLAN"),
    Options.withDescription(
      "The plan of the key that is printed: free, pro, business or enterprise. Unless given, enterprise with --demo or --memory, else pro"
    ),
    optional
  ),
  basePath: Options.text("base-path").pipe(
    Options.withPseudoName("PATH"),
    Options.withDescription("A path that goes before all others, such as /api"),
    Options.withDefault(""),
    Options.mapEffect((path) =>
      /^(\/[A-Za-z0-9._~-]+)*$/.test(path)
        ? Effect.succeed(path)
        : misused("base-path", "expected a path such as /api, with no slash at its end")
    )
  ),
  trustProxy: wholeNumber("trust-proxy", 0, 100).pipe(
    Options.withDescription(
      "How many proxies stand before the server; their X-Forwarded-For is then believed"
    ),
    Options.withDefault(0)
  ),
  experimental: Options.boolean("experimental").pipe(
    Options.withDescription("Let everyone call experimental operations, opted in or not")
  ),
  cors: Options.text("cors").pipe(
    Options.withPseudoName("ORIGIN"),
    Options.withDescription(
      "Let pages of this origin, such as https://shop.example, call from a browser; * for all. May be given several times"
    ),
    Options.repeated,
    Options.mapEffect((origins) =>
      origins.every((origin) => /^(?:https?:\/\/[a-z0-9.:[\]-]+|null|\*)$/.test(origin))
        ? Effect.succeed(origins)
        : misused(
            "cors",
            "expected an origin such as https://shop.example, in lower case and without a path, or *"
          )
    )
  ),
  requireConditions: Options.boolean("require-conditions").pipe(
    Options.withDescription(
      "Refuse changes of records that do not say by If-Match which state they are made for"
    )
  ),
  noMetrics: Options.boolean("no-metrics").pipe(
    Options.withDescription(
      "Serve no /metrics; it needs no key, so keep it from strangers one way or another"
    )
  ),
  allowHttpWebhooks: Options.boolean("allow-http-webhooks").pipe(
    Options.withDescription("Send to webhooks over plain http too")
  ),
  allowPrivateWebhooks: Options.boolean("allow-private-webhooks").pipe(
    Options.withDescription("Send to webhooks at private addresses too, such as those of this machine")
  ),
  webhookSecretFile: secretFile,
  ...retentionOptions,
  ...limitOptions,
  ...lifecycleOptions,
  workers: Options.text("workers").pipe(
    Options.withPseudoName("N"),
    Options.withDescription(
      `Serve with so many processes on one port, 1 to ${MAX_WORKERS}, or auto for one a processor; they share the file, and every limit. 1 unless given`
    ),
    Options.withDefault("1"),
    Options.mapEffect((text) =>
      text === "auto"
        ? Effect.succeed(Math.min(availableParallelism(), MAX_WORKERS))
        : /^[1-9]\d?$/.test(text) && Number(text) <= MAX_WORKERS
          ? Effect.succeed(Number(text))
          : misused(
              "workers",
              `expected a whole number from 1 to ${MAX_WORKERS}, or auto, got '${text.slice(0, 40)}'`
            )
    )
  ),
  quiet: Options.boolean("quiet").pipe(
    Options.withDescription("Log failures only; otherwise every request is a line of JSON on stderr")
  )
}

export const serveCommand = Command.make(
  "serve",
  serveOptions,
  lazy(async () => (await import("./serve.js")).serve)
).pipe(
  Command.withDescription(
    [
      "Serves a store over HTTP until it is stopped. The first line it prints ends with the URL.",
      "The store is in a file, which is made at the first start. While there is no account in it, a key on the plan pro is made and printed, this once; later: petstore keys create. Several servers, and the other commands, may work on one file at once."
    ].join("\n\n")
  )
)
