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
      Options.withDescription("A name to know the account by"),
      optional
    ),
    db,
    json
  },
  lazy(async () => (await import("./run.js")).createAccount)
).pipe(
  Command.withDescription(
    "Opens an account without a key. petstore keys create opens one too, and makes a key for it. The file is made if it is not there."
  )
)

const setPlan = Command.make(
  "set-plan",
  {
    id: idOf("account"),
    plan: Args.text({ name: "PLAN" }).pipe(
      Args.withDescription("free, pro, business, or enterprise, which needs --per-minute and --per-day")
    ),
    ...enterpriseLimits,
    db,
    json
  },
  lazy(async () => (await import("./run.js")).changePlan)
).pipe(
  Command.withDescription(
    "Moves an account to another plan, from its next request on. What it has used stays used."
  )
)

const unban = Command.make(
  "unban",
  { id: idOf("account"), db, json },
  lazy(async () => (await import("./run.js")).unbanAccount)
).pipe(
  Command.withDescription(
    "Ends the ban of an account and forgets its strikes; servers know within a second. What it has used stays used."
  )
)

export const accountsCommand = Command.make("accounts").pipe(
  Command.withDescription("Opens accounts, shows them, changes their plans and lifts their bans."),
  Command.withSubcommands([list, show, create, setPlan, unban])
)
