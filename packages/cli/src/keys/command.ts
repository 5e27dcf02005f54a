/** `petstore keys`: its commands and their options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db, enterpriseLimits, plan } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { duration, idOf, idOption, json, optional } from "../terminal/options.js"

const text = (name: string, placeholder: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(placeholder),
    Options.withDescription(description),
    optional
  )

const expires = (description: string) => text("expires", "DATE", description)

const create = Command.make(
  "create",
  {
    plan: optional(plan),
    ...enterpriseLimits,
    name: text("name", "TEXT", "The name of the key, and of its account if that is new"),
    account: idOption("account").pipe(
      Options.withDescription("The account of the key; a new one on --plan unless given"),
      optional
    ),
    expires: expires("When the key expires: 2030-12-31 (00:00 UTC) or 2030-12-31T18:00:00+01:00"),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).createKey)
).pipe(
  Command.withDescription(
    [
      "Creates a key and prints it once. Creates the file if needed.",
      'With --json: {"id":…,"account":…,"key":"ps_…","plan":…}.',
      "Example: petstore keys create --plan enterprise --per-minute 5000 --per-day 1000000 " +
        "--name Till"
    ].join("\n\n")
  )
)

const list = Command.make(
  "list",
  {
    account: idOption("account").pipe(
      Options.withDescription("Only keys of this account"),
      optional
    ),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).listKeys)
).pipe(Command.withDescription("Lists keys with their first characters, accounts and states."))

const rotate = Command.make(
  "rotate",
  {
    id: idOf("key"),
    overlapMs: duration("overlap").pipe(
      Options.withDescription(
        "How long the old key stays valid, such as 90s, 15m, 1h or 7d; not at all unless given"
      ),
      Options.withDefault(0)
    ),
    expires: expires("When the new key expires; as the old one unless given"),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).rotateKey)
).pipe(
  Command.withDescription(
    [
      "Replaces a key by a new one of the same account and name, and prints it once. A key " +
        "is replaced once: next time, rotate the new one.",
      "What the account has used of its limits stays used. With --json: " +
        '{"id":…,"account":…,"key":"ps_…","plan":…,"replaces":…,"replacedUntil":…}.'
    ].join("\n\n")
  )
)

const expire = Command.make(
  "expire",
  {
    id: idOf("key"),
    when: Args.text({ name: "WHEN" }).pipe(
      Args.withDescription("When the key expires: 2030-12-31, 2030-12-31T18:00:00Z, or never")
    ),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).expireKey)
).pipe(
  Command.withDescription("Sets when a key expires, or that it does not. A past time ends it now.")
)

const change = (verb: "revoke" | "disable" | "enable", description: string) =>
  Command.make(
    verb,
    { id: idOf("key"), db, json },
    lazy(async () => (await import("./run.js")).changeKey(verb))
  ).pipe(Command.withDescription(description))

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription(
    "Creates, lists and revokes the API keys of a store, which may be served."
  ),
  Command.withSubcommands([
    create,
    list,
    rotate,
    expire,
    change("revoke", "Revokes a key for good, from its next request on."),
    change("disable", "Disables a key, from its next request on, until it is enabled again."),
    change("enable", "Enables a disabled key.")
  ])
)
