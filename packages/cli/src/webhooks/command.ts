/** `petstore webhooks`: its commands and their options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Option from "effect/Option"
import { db } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { duration, idOf, json, optional, wholeNumber } from "../terminal/options.js"
import { secretFile } from "./options.js"

const id = idOf("webhook")

const types = Options.text("type").pipe(
  Options.withPseudoName("TYPE"),
  Options.withDescription(
    "Only changes of this type, such as order.placed. May be given several times; all types unless given"
  ),
  Options.repeated
)

const addressRules = {
  allowHttp: Options.boolean("allow-http").pipe(
    Options.withDescription("Take a URL of plain http; petstore serve sends to it with --allow-http-webhooks")
  ),
  allowPrivate: Options.boolean("allow-private").pipe(
    Options.withDescription(
      "Take a URL that names a private address, such as one of this machine; petstore serve sends to it with --allow-private-webhooks"
    )
  )
}

const add = Command.make(
  "add",
  {
    url: Args.text({ name: "URL" }).pipe(Args.withDescription("Where messages are sent, by POST")),
    types,
    ...addressRules,
    file: secretFile,
    db,
    json
  },
  lazy(async () => (await import("./issue.js")).addWebhook)
).pipe(
  Command.withDescription(
    [
      "Adds a webhook, which petstore serve tells of changes from now on, and prints its signing secret, this once.",
      "What messages look like and how they are verified: https://www.standardwebhooks.com, and docs/webhooks.md.",
      "Example: petstore webhooks add https://shop.example/hooks --type order.placed --type order.completed"
    ].join("\n\n")
  )
)

const list = Command.make(
  "list",
  { db, json },
  lazy(async () => (await import("./run.js")).listWebhooks)
).pipe(Command.withDescription("Lists webhooks: where they are, their state, and how far they are."))

const show = Command.make(
  "show",
  { id, db, json },
  lazy(async () => (await import("./run.js")).showWebhook)
).pipe(Command.withDescription("Shows a webhook and its latest attempts."))

const update = Command.make(
  "update",
  {
    id,
    url: Options.text("url").pipe(
      Options.withPseudoName("URL"),
      Options.withDescription("Where messages are sent from now on"),
      optional
    ),
    types,
    allTypes: Options.boolean("all-types").pipe(Options.withDescription("Changes of all types")),
    ...addressRules,
    db,
    json
  },
  lazy(async () => (await import("./run.js")).updateWebhook)
).pipe(Command.withDescription("Changes where a webhook is, or which changes it is told of."))

const change = (verb: "enable" | "disable", description: string) =>
  Command.make(
    verb,
    { id, db, json },
    lazy(async () => (await import("./run.js")).changeWebhook(verb))
  ).pipe(Command.withDescription(description))

const remove = Command.make(
  "remove",
  { id, db, json },
  lazy(async () => (await import("./run.js")).removeWebhook)
).pipe(Command.withDescription("Forgets a webhook and what was sent to it."))

const rotate = Command.make(
  "rotate",
  {
    id,
    overlapMs: duration("overlap").pipe(
      Options.withDescription(
        "For how long messages are signed with the old secret too, such as 15m, 1h or 7d; a day unless given"
      ),
      optional
    ),
    file: secretFile,
    db,
    json
  },
  lazy(async () => (await import("./issue.js")).rotateSecret)
).pipe(Command.withDescription("Gives a webhook a new signing secret and prints it, this once."))

const log = Command.make(
  "log",
  {
    id: idOf("webhook").pipe(Args.optional, Args.map(Option.getOrUndefined)),
    limit: wholeNumber("limit", 1, 100).pipe(
      Options.withDescription("So many of the latest attempts, 20 unless given"),
      Options.withDefault(20)
    ),
    db,
    json
  },
  lazy(async () => (await import("./messages.js")).showLog)
).pipe(
  Command.withDescription(
    "Shows the latest attempts to deliver, of one webhook or of all, newest first. 500 of each are kept."
  )
)

const sequence = (name: string, description: string) =>
  wholeNumber(name, 1, Number.MAX_SAFE_INTEGER).pipe(Options.withDescription(description), optional)

const replay = Command.make(
  "replay",
  {
    id,
    from: sequence("from", "Every message from this sequence on, in order"),
    only: sequence("only", "The one message of this sequence, out of turn and tried once"),
    db,
    json
  },
  lazy(async () => (await import("./messages.js")).replayMessages)
).pipe(
  Command.withDescription(
    "Sends messages again, under the ids they had. petstore webhooks log says which sequences there were."
  )
)

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription(
    "Tells other servers of changes: adds, lists and mends webhooks, also while the store is served."
  ),
  Command.withSubcommands([
    add,
    list,
    show,
    update,
    remove,
    change("enable", "Sends to a webhook again, from the message on at which it stopped."),
    change("disable", "Stops sending to a webhook until it is enabled again; its place is kept."),
    rotate,
    log,
    replay
  ])
)
