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
    "Only changes of this type, such as order.placed. Repeatable; all types unless given"
  ),
  Options.repeated
)

const addressRules = {
  allowHttp: Options.boolean("allow-http").pipe(
    Options.withDescription(
      "Allow a URL of plain http; petstore serve needs --allow-http-webhooks too"
    )
  ),
  allowPrivate: Options.boolean("allow-private").pipe(
    Options.withDescription(
      "Allow a URL of a private address, such as this machine; petstore serve needs " +
        "--allow-private-webhooks too"
    )
  )
}

const add = Command.make(
  "add",
  {
    url: Args.text({ name: "URL" }).pipe(
      Args.withDescription("The URL that messages are posted to")
    ),
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
      "Adds a webhook, which petstore serve sends changes from now on. Prints its signing " +
        "secret once.",
      "Messages and their signatures: https://www.standardwebhooks.com, and docs/webhooks.md.",
      "Example: petstore webhooks add https://shop.example/hooks --type order.placed --type " +
        "order.completed"
    ].join("\n\n")
  )
)

const list = Command.make(
  "list",
  { db, json },
  lazy(async () => (await import("./run.js")).listWebhooks)
).pipe(Command.withDescription("Lists webhooks with their URLs, states and positions."))

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
      Options.withDescription("The new URL"),
      optional
    ),
    types,
    allTypes: Options.boolean("all-types").pipe(Options.withDescription("Changes of all types")),
    ...addressRules,
    db,
    json
  },
  lazy(async () => (await import("./run.js")).updateWebhook)
).pipe(Command.withDescription("Changes the URL or the types of a webhook."))

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
).pipe(Command.withDescription("Removes a webhook and the log of its messages."))

const rotate = Command.make(
  "rotate",
  {
    id,
    overlapMs: duration("overlap").pipe(
      Options.withDescription(
        "How long messages are signed with the old secret too, such as 15m, 1h or 7d; a day " +
          "unless given"
      ),
      optional
    ),
    file: secretFile,
    db,
    json
  },
  lazy(async () => (await import("./issue.js")).rotateSecret)
).pipe(Command.withDescription("Gives a webhook a new signing secret and prints it once."))

const log = Command.make(
  "log",
  {
    id: idOf("webhook").pipe(Args.optional, Args.map(Option.getOrUndefined)),
    limit: wholeNumber("limit", 1, 100).pipe(
      Options.withDescription("The number of attempts, 20 unless given"),
      Options.withDefault(20)
    ),
    db,
    json
  },
  lazy(async () => (await import("./messages.js")).showLog)
).pipe(
  Command.withDescription(
    "Shows the latest attempts to deliver, of one webhook or of all, newest first. 500 of " +
      "each are stored."
  )
)

const sequence = (name: string, description: string) =>
  wholeNumber(name, 1, Number.MAX_SAFE_INTEGER).pipe(Options.withDescription(description), optional)

const replay = Command.make(
  "replay",
  {
    id,
    from: sequence("from", "All messages from this sequence on, in order"),
    only: sequence("only", "One message, out of order and tried once"),
    db,
    json
  },
  lazy(async () => (await import("./messages.js")).replayMessages)
).pipe(
  Command.withDescription(
    "Sends messages again with the same ids. petstore webhooks log shows their sequences."
  )
)

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription(
    "Manages webhooks, which send changes to other servers. The store may be served."
  ),
  Command.withSubcommands([
    add,
    list,
    show,
    update,
    remove,
    change("enable", "Sends to a webhook again, from the message where it stopped."),
    change(
      "disable",
      "Stops sending to a webhook until it is enabled again. Its position is kept."
    ),
    rotate,
    log,
    replay
  ])
)
