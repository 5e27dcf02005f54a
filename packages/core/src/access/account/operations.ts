/** The operations on accounts. */
import * as Either from "effect/Either"
import type { Listing, Paging } from "../../engine/list/ListQuery.js"
import { type PlanTerms, planTerms } from "./Plan.js"
import { accountNotFound, type AccountRow, accounts } from "./rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find } from "../../engine/program/requests.js"
import { insertRow, replaceRow } from "../../engine/program/rows.js"
import { type Account, NewAccount, PlanChoice } from "./Account.js"
import { decoder } from "../../value/Decoder.js"
import { formatInstant } from "../../value/Instant.js"
import type { NotFound } from "../../engine/operation/errors.js"
import { readById, validateIdWith, write } from "../../engine/operation/Operation.js"
import { readList } from "../../engine/operation/readList.js"

const accountListing: Listing<AccountRow> = {
  collection: accounts,
  filters: {},
  sorts: { id: "id" }
}

const presentAccount = ({ id, name, plan, perMinute, perDay, createdMs }: AccountRow): Account => ({
  id,
  name,
  plan,
  ...(perMinute === null ? {} : { perMinute }),
  ...(perDay === null ? {} : { perDay }),
  createdAt: formatInstant(createdMs)
})

const validateNewAccount = decoder(NewAccount)
const validateChoice = decoder(PlanChoice)

export const findAccount = (id: number): ReadProgram<AccountRow, NotFound> =>
  find(accounts, id, accountNotFound)

export const accountOperations = {
  /**
   * Creates an account on a plan. `enterprise` needs `perMinute` and `perDay`.
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
      insertRow(accounts, { name, ...terms, createdMs: context.nowMs }),
    present: presentAccount
  }),

  /**
   * One account. Refused: `NotFound`.
   *
   * @example
   * const { plan } = await store.accounts.get(1)
   */
  get: readById(findAccount, presentAccount),

  /**
   * A page of accounts. Refused: `InvalidParameter`.
   *
   * @example
   * const { items } = await store.accounts.list()
   */
  list: readList<Paging<"id">, AccountRow, Account>(accountListing, presentAccount),

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
      return yield* replaceRow(accounts, yield* findAccount(id), terms)
    },
    present: presentAccount
  })
}
