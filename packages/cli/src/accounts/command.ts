/** `petstore accounts`: its commands and their options. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db, enterpriseLimits, plan } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { idOf, json, optional } from "../terminal/options.js"

const list = Command.make(
  "list",
  { db, json },
  lazy(async () => (await import("./run.js")).listAccounts)
).pipe(Command.withDescription("Lists the accounts with their plans and limits."))

const show = Command.make(
  "show",
  { id: idOf("account"), db, json },
  lazy(async () => (await import("./run.js")).showAccount)
).pipe(Command.withDescription("Shows an account and its keys."))

const create = Command.make(
  "create",
  {
    plan,
    ...enterpriseLimits,
    name: Options.text("name").pipe(
      Options.withPseudoName("TEXT"),
      Options.withDescription("The name of the account"),
      optional
    ),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).createAccount)
).pipe(
  Command.withDescription(
    "Creates an account without a key. petstore keys create makes an account with a key. " +
      "Creates the file if needed."
  )
)

const setPlan = Command.make(
  "set-plan",
  {
    id: idOf("account"),
    plan: Args.text({ name: "PLAN" }).pipe(
      Args.withDescription(
        "free, pro, business, or enterprise, which needs --per-minute and --per-day"
      )
    ),
    ...enterpriseLimits,
    db,
    json
  },
  lazy(async () => (await import("./run.js")).changePlan)
).pipe(
  Command.withDescription(
    "Moves an account to another plan, from its next request on. Used requests stay used."
  )
)

const unban = Command.make(
  "unban",
  { id: idOf("account"), db, json },
  lazy(async () => (await import("./run.js")).unbanAccount)
).pipe(
  Command.withDescription(
    "Ends the ban of an account and clears its strikes; servers see it within a second. Used " +
      "requests stay used."
  )
)

export const accountsCommand = Command.make("accounts").pipe(
  Command.withDescription(
    "Creates accounts, shows them, changes their plans and lifts their bans."
  ),
  Command.withSubcommands([list, show, create, setPlan, unban])
)
