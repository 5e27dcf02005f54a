/** `petstore keys`: its commands and their options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db, enterpriseLimits, plan } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { duration, idOf, idOption, json, optional } from "../terminal/options.js"

const text = (name: string, placeholder: string, description: string) =>
  Options.text(name).pipe(Options.withPseudoName(placeholder), Options.withDescription(description), optional)

const expires = (description: string) => text("expires", "DATE", description)

const create = Command.make(
  "create",
  {
    plan: optional(plan),
    ...enterpriseLimits,
    name: text("name", "TEXT", "A name to know the key by, and its account if it is new"),
    account: idOption("account").pipe(
      Options.withDescription("The account that the key is for; a new one, on --plan, unless given"),
      optional
    ),
    expires: expires("From when on the key is refused: 2030-12-31 (00:00 UTC) or 2030-12-31T18:00:00+01:00"),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).createKey)
).pipe(
  Command.withDescription(
    [
      "Makes a key and prints it, this once. The file is made if it is not there.",
      'With --json: {"id":…,"account":…,"key":"ps_…","plan":…}.',
      "Example: petstore keys create --plan enterprise --per-minute 5000 --per-day 1000000 --name Till"
    ].join("\n\n")
  )
)

const list = Command.make(
  "list",
  {
    account: idOption("account").pipe(Options.withDescription("Only keys of this account"), optional),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).listKeys)
).pipe(Command.withDescription("Lists keys: their first characters, whose they are, and their state."))

const rotate = Command.make(
  "rotate",
  {
    id: idOf("key"),
    overlapMs: duration("overlap").pipe(
      Options.withDescription(
        "For how long the old key goes on working, such as 90s, 15m, 1h or 7d; not at all unless given"
      ),
      Options.withDefault(0)
    ),
    expires: expires("From when on the new key is refused; as the old one unless given"),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).rotateKey)
).pipe(
  Command.withDescription(
    [
      "Replaces a key by a new one of the same account and name, and prints that, this once. A key is replaced once: the next time, rotate the new one.",
      'What the account has used of its limits stays used. With --json: {"id":…,"account":…,"key":"ps_…","plan":…,"replaces":…,"replacedUntil":…}.'
    ].join("\n\n")
  )
)

const expire = Command.make(
  "expire",
  {
    id: idOf("key"),
    when: Args.text({ name: "WHEN" }).pipe(
      Args.withDescription("From when on the key is refused: 2030-12-31, 2030-12-31T18:00:00Z, or never")
    ),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).expireKey)
).pipe(Command.withDescription("Sets when a key ends, or that it does not. A time that is past ends it now."))

const change = (verb: "revoke" | "disable" | "enable", description: string) =>
  Command.make(
    verb,
    { id: idOf("key"), db, json },
    lazy(async () => (await import("./run.js")).changeKey(verb))
  ).pipe(Command.withDescription(description))

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("Makes, lists and ends the API keys of a store, also while it is served."),
  Command.withSubcommands([
    create,
    list,
    rotate,
    expire,
    change("revoke", "Ends a key for good, from its next request on."),
    change("disable", "Switches a key off, from its next request on, until it is enabled again."),
    change("enable", "Switches a disabled key on.")
  ])
)
