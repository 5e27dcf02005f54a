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
import { invalidValue, optional, wholeNumber } from "../terminal/options.js"

/** More processes only wait for each other: one at a time writes. */
const MAX_WORKERS = 64

const serveOptions = {
  host: Options.text("host").pipe(
    Options.withPseudoName("HOST"),
    Options.withDescription(
      "The address to listen on, 127.0.0.1 unless given; 0.0.0.0 for all of them"
    ),
    Options.withDefault("127.0.0.1")
  ),
  port: wholeNumber("port", 0, 65_535).pipe(
    Options.withDescription("The port to listen on, 3000 unless given; 0 picks a free one"),
    Options.withDefault(3000)
  ),
  db: Options.text("db").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription(
      `Keep the store in this file, ${DEFAULT_DB} in this folder unless given; it is created ` +
        "if needed"
    ),
    optional
  ),
  upgrade: Options.boolean("upgrade").pipe(
    Options.withDescription(
      "Upgrade a store of an earlier version first, as petstore upgrade does, with a copy beside it"
    )
  ),
  memory: Options.boolean("memory").pipe(
    Options.withDescription("Keep the store in memory: it starts empty and ends with the server")
  ),
  demo: Options.boolean("demo").pipe(
    Options.withDescription(
      "Fill an empty store with a demo shop of 12 categories and 200 animals, and print a " +
        "new key, valid for a week, at every start"
    )
  ),
  demoPlan: Options.choice("demo-plan", ["free", "pro", "business", "enterprise"]).pipe(
    Options.withPseudoName("PLAN"),
    Options.withDescription(
      "The plan of the key that is printed: free, pro, business or enterprise. Unless given, " +
        "enterprise with --demo or --memory, else pro"
    ),
    optional
  ),
  basePath: Options.text("base-path").pipe(
    Options.withPseudoName("PATH"),
    Options.withDescription("A prefix of all paths, such as /api"),
    Options.withDefault(""),
    Options.mapEffect((path) =>
      /^(\/[A-Za-z0-9._~-]+)*$/.test(path)
        ? Effect.succeed(path)
        : invalidValue("base-path", "expected a path such as /api, with no slash at its end")
    )
  ),
  trustProxy: wholeNumber("trust-proxy", 0, 100).pipe(
    Options.withDescription(
      "The number of proxies before the server, whose X-Forwarded-For is trusted"
    ),
    Options.withDefault(0)
  ),
  experimental: Options.boolean("experimental").pipe(
    Options.withDescription("Allow experimental operations without opting in")
  ),
  cors: Options.text("cors").pipe(
    Options.withPseudoName("ORIGIN"),
    Options.withDescription(
      "Let pages of this origin, such as https://shop.example, call from a browser; * for " +
        "all. Repeatable"
    ),
    Options.repeated,
    Options.mapEffect((origins) =>
      origins.every((origin) => /^(?:https?:\/\/[a-z0-9.:[\]-]+|null|\*)$/.test(origin))
        ? Effect.succeed(origins)
        : invalidValue(
            "cors",
            "expected an origin such as https://shop.example, in lower case and without a " +
              "path, or *"
          )
    )
  ),
  requireConditions: Options.boolean("require-conditions").pipe(
    Options.withDescription("Refuse changes of records without If-Match")
  ),
  noMetrics: Options.boolean("no-metrics").pipe(
    Options.withDescription("Do not serve /metrics, which needs no key")
  ),
  allowHttpWebhooks: Options.boolean("allow-http-webhooks").pipe(
    Options.withDescription("Send to webhooks over plain http too")
  ),
  allowPrivateWebhooks: Options.boolean("allow-private-webhooks").pipe(
    Options.withDescription("Send to webhooks at private addresses too, such as this machine")
  ),
  webhookSecretFile: secretFile,
  ...retentionOptions,
  ...limitOptions,
  ...lifecycleOptions,
  workers: Options.text("workers").pipe(
    Options.withPseudoName("N"),
    Options.withDescription(
      `The number of processes on one port, 1 to ${MAX_WORKERS}, or auto for one a ` +
        "processor; they share the file and all limits. 1 unless given"
    ),
    Options.withDefault("1"),
    Options.mapEffect((text) =>
      text === "auto"
        ? Effect.succeed(Math.min(availableParallelism(), MAX_WORKERS))
        : /^[1-9]\d?$/.test(text) && Number(text) <= MAX_WORKERS
          ? Effect.succeed(Number(text))
          : invalidValue(
              "workers",
              `expected a whole number from 1 to ${MAX_WORKERS}, or auto, got ` +
                `'${text.slice(0, 40)}'`
            )
    )
  ),
  quiet: Options.boolean("quiet").pipe(
    Options.withDescription("Log failures only; otherwise each request is a line of JSON on stderr")
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
      "The first start creates the file. While the store has no account, it also creates a " +
        "key on the plan pro and prints it once; petstore keys create makes more. Several " +
        "servers and the other commands can use one file at once."
    ].join("\n\n")
  )
)
