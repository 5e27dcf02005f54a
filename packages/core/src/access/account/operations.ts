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
import { acceptIdAlone, acceptIdWith, read, write } from "../../engine/operation/Operation.js"
import { showPage } from "../../engine/list/showPage.js"

const accountListing: Listing<AccountRow> = { collection: accounts, filters: {}, sorts: { id: "id" } }

export const showAccount = ({ id, name, plan, perMinute, perDay, createdMs }: AccountRow): Account => ({
  id,
  name,
  plan,
  ...(perMinute === null ? {} : { perMinute }),
  ...(perDay === null ? {} : { perDay }),
  createdAt: formatInstant(createdMs)
})

const acceptNewAccount = decoder(NewAccount)
const acceptChoice = decoder(PlanChoice)
const acceptQuery = planList(accountListing)

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
    accept: (account: NewAccount) =>
      Either.flatMap(acceptNewAccount(account), (asked) =>
        Either.map(planTerms(asked), (terms) => [asked.name ?? "", terms] as const)
      ),
    program: (context, name: string, terms: PlanTerms) =>
      insert(accounts, { name, ...terms, createdMs: context.nowMs }),
    show: showAccount
  }),

  /**
   * One account. Refused: `NotFound`.
   *
   * @example
   * const { plan } = await store.accounts.get(1)
   */
  get: read({
    accept: acceptIdAlone,
    program: (_origin, id: number) => findAccount(id),
    show: showAccount
  }),

  /**
   * A page of accounts. Refused: `InvalidParameter`.
   *
   * @example
   * const { items } = await store.accounts.list()
   */
  list: read({
    accept: (query: Paging<"id"> = {}) => Either.map(acceptQuery(query), (plan) => [plan] as const),
    program: (_origin, plan) => runList(accountListing, plan),
    show: showPage(showAccount)
  }),

  /**
   * Moves an account to another plan, from its next request on; what it has used stays used. Refused:
   * `NotFound`.
   *
   * @example
   * await store.accounts.setPlan(1, { plan: "enterprise", perMinute: 5000, perDay: 1_000_000 })
   */
  setPlan: write({
    accept: (id: number, choice: PlanChoice) =>
      acceptIdWith(id, Either.flatMap(acceptChoice(choice), planTerms)),
    *program(_origin, id: number, terms: PlanTerms) {
      return yield* replace(accounts, yield* findAccount(id), terms)
    },
    show: showAccount
  })
}
