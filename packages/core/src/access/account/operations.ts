/** What can be done with accounts. */
import * as Either from "effect/Either"
import { type Listing, type Paging, planList, runList } from "../../engine/list/ListQuery.js"
import { type PlanTerms, planTerms } from "./Plan.js"
import { type AccountRow, accounts } from "./rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find, insert, replace } from "../../engine/program/requests.js"
import { type Account, NewAccount, PlanChoice } from "./Account.js"
import { decoder } from "../../value/Decoder.js"
import { formatInstant } from "../../value/Instant.js"
import { NotFound } from "../../engine/operation/errors.js"
import { validateIdAlone, validateIdWith, read, write } from "../../engine/operation/Operation.js"
import { presentPage } from "../../engine/list/presentPage.js"

const accountListing: Listing<AccountRow> = {
  collection: accounts,
  filters: {},
  sorts: { id: "id" }
}

export const presentAccount = ({
  id,
  name,
  plan,
  perMinute,
  perDay,
  createdMs
}: AccountRow): Account => ({
  id,
  name,
  plan,
  ...(perMinute === null ? {} : { perMinute }),
  ...(perDay === null ? {} : { perDay }),
  createdAt: formatInstant(createdMs)
})

const validateNewAccount = decoder(NewAccount)
const validateChoice = decoder(PlanChoice)
const validateQuery = planList(accountListing)

export const findAccount = (id: number): ReadProgram<AccountRow, NotFound> =>
  find(accounts, id, () => new NotFound({ kind: "account", id }))

export const accountOperations = {
  /**
   * Opens an account on a plan. `enterprise` needs `perMinute` and `perDay`.
   *
   * @example
   * const { id } = await store.accounts.create({ name: "Ann", plan: "free" })
   */
  create: write({
    validate: (account: NewAccount) =>
      Either.flatMap(validateNewAccount(account), (input) =>
        Either.map(planTerms(input), (terms) => [input.name ?? "", terms] as const)
      ),
    program: (context, name: string, terms: PlanTerms) =>
      insert(accounts, { name, ...terms, createdMs: context.nowMs }),
    present: presentAccount
  }),

  /**
   * One account. Refused: `NotFound`.
   *
   * @example
   * const { plan } = await store.accounts.get(1)
   */
  get: read({
    validate: validateIdAlone,
    program: (_context, id: number) => findAccount(id),
    present: presentAccount
  }),

  /**
   * A page of accounts. Refused: `InvalidParameter`.
   *
   * @example
   * const { items } = await store.accounts.list()
   */
  list: read({
    validate: (query: Paging<"id"> = {}) =>
      Either.map(validateQuery(query), (plan) => [plan] as const),
    program: (_context, plan) => runList(accountListing, plan),
    present: presentPage(presentAccount)
  }),

  /**
   * Moves an account to another plan, from its next request on. Used requests stay used. Refused:
   * `NotFound`.
   *
   * @example
   * await store.accounts.setPlan(1, { plan: "enterprise", perMinute: 5000, perDay: 1_000_000 })
   */
  setPlan: write({
    validate: (id: number, choice: PlanChoice) =>
      validateIdWith(id, Either.flatMap(validateChoice(choice), planTerms)),
    *program(_context, id: number, terms: PlanTerms) {
      return yield* replace(accounts, yield* findAccount(id), terms)
    },
    present: presentAccount
  })
}
