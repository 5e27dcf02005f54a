/** Which program of the shop answers which operation of the contract. */
import {
  andThen,
  type Attempt,
  type Engine,
  type IfRevision,
  type InvalidParameter,
  type ListPlan,
  type MaybePromise,
  type RequestContext,
  type Page,
  type ReadRequest,
  type Refuse,
  type Request,
  runOnce,
  type Shop,
  type StorageError,
  type ValidationFailed
} from "@petstore/core"
import * as Either from "effect/Either"
import type { Refusal } from "../contract/errors.js"
import type { Handler, Handlers, Outcome, Rendered, Shown } from "./Handler.js"

type Stored = { readonly id: number; readonly revision: number }
type Reads = ReadRequest | Refuse<Refusal>
type Writes = Request | Refuse<Refusal>

type Program<Input extends ReadonlyArray<unknown>, A, Yields> = (
  context: RequestContext,
  ...input: Input
) => Generator<Yields, A, unknown>

const NOTHING: Rendered = { kind: "nothing" }

const record = (shown: Shown, { id, revision }: Stored, created: boolean): Rendered => ({
  kind: "record",
  created,
  shown,
  id,
  revision
})

/** Renders the answer of a program, or its refusal. */
const rendering =
  <A>(render: (answer: A) => Rendered) =>
  (answer: Either.Either<A, Refusal | StorageError>): Rendered =>
    Either.isRight(answer) ? render(answer.right) : { kind: "refused", refusal: answer.left }

type Written<A> = Either.Either<A, Refusal | StorageError>

/** Runs a writing program, once for all attempts of a caller if there may be several. */
const writing = <A>(
  engine: Engine,
  attempt: Attempt | undefined,
  start: () => Generator<Writes, A, unknown>,
  rendered: (answer: Written<A>) => Rendered
): MaybePromise<Outcome> => {
  if (attempt === undefined) return andThen(engine.write<A, Writes>(start), rendered)
  return andThen(
    runOnce<A, Refusal>(engine, attempt, start, (outcome) => written(rendered(outcome))),
    (told): Outcome =>
      Either.isRight(told)
        ? { kind: "told", rendered: JSON.parse(told.right.text), replayed: told.right.replayed }
        : { kind: "refused", refusal: told.left }
  )
}

/** An answer as it is kept for those who repeat the request: read back, it is rendered to the same bytes. */
const written = (rendered: Rendered): string => {
  if (rendered.kind !== "refused") return JSON.stringify(rendered)
  const { code, message } = rendered.refusal
  return JSON.stringify({ kind: "refused", refusal: { code, message } })
}

/** One record by its id. */
const get = <R extends Stored, Yields extends Reads>(operation: {
  readonly program: Program<[id: number], R, Yields>
  readonly present: (row: R) => Shown
}): Handler<never, never> => {
  const rendered = rendering((row: R) => record(operation.present(row), row, false))
  return {
    start: (engine, { context, id }) =>
      andThen(
        engine.read(() => operation.program(context, id)),
        rendered
      )
  }
}

/** A page; the query is checked by the listing, which refuses by name. */
const list = <Query extends object, R, Yields extends Reads>(operation: {
  readonly validate: (query: Query) => Either.Either<readonly [ListPlan], InvalidParameter | ValidationFailed>
  readonly program: Program<[plan: ListPlan], Page<R>, Yields>
  readonly present: (page: Page<R>) => Page<Shown>
}): Handler<Query, never> => {
  const rendered = rendering((page: Page<R>) => {
    const { items, next, total } = operation.present(page)
    return { kind: "page", items, next, total }
  })
  // Equal queries are read to one object, and a plan says nothing but what its query does: checking one costs as much as 25 pets.
  const plans = new WeakMap<Query, ReturnType<typeof operation.validate>>()
  const planned = (query: Query) => {
    const before = plans.get(query)
    if (before !== undefined) return before
    const accepted = operation.validate(query)
    plans.set(query, accepted)
    return accepted
  }
  return {
    start: (engine, { context, query }) => {
      const accepted = planned(query)
      if (Either.isLeft(accepted)) return { kind: "refused", refusal: accepted.left }
      const [plan] = accepted.right
      return andThen(
        engine.read(() => operation.program(context, plan)),
        rendered
      )
    }
  }
}

/** A new record. */
const create = <Body, R extends Stored, Yields extends Writes>(operation: {
  readonly program: Program<[input: Body], R, Yields>
  readonly present: (row: R) => Shown
}): Handler<never, Body> => {
  const rendered = rendering((row: R) => record(operation.present(row), row, true))
  return {
    start: (engine, { context, body, attempt }) =>
      writing(engine, attempt, () => operation.program(context, body), rendered)
  }
}

/** A changed record, on the condition that is asked for. */
const change = <Body, R extends Stored, Yields extends Writes>(operation: {
  readonly program: Program<[id: number, input: Body, condition: IfRevision], R, Yields>
  readonly present: (row: R) => Shown
}): Handler<never, Body> => {
  const rendered = rendering((row: R) => record(operation.present(row), row, false))
  return {
    start: (engine, { context, id, body, condition, attempt }) =>
      writing(engine, attempt, () => operation.program(context, id, body, condition), rendered)
  }
}

/** A record that goes. */
const remove = <Yields extends Writes>(operation: {
  readonly program: Program<[id: number, condition: IfRevision], void, Yields>
}): Handler<never, never> => {
  const rendered = rendering(() => NOTHING)
  return {
    start: (engine, { context, id, condition, attempt }) =>
      writing(engine, attempt, () => operation.program(context, id, condition), rendered)
  }
}

type Set<R> = { readonly item: R; readonly created: boolean }

/** A record that is set, and made where there is none. */
const set = <Body, R extends Stored, Yields extends Writes>(operation: {
  readonly program: Program<[id: number, input: Body, condition: IfRevision], Set<R>, Yields>
  readonly present: (stored: Set<R>) => Shown
}): Handler<never, Body> => {
  const rendered = rendering((stored: Set<R>) =>
    record(operation.present(stored), stored.item, stored.created)
  )
  return {
    start: (engine, { context, id, body, condition, attempt }) =>
      writing(engine, attempt, () => operation.program(context, id, body, condition), rendered)
  }
}

export const handlersOf = ({ pets, categories, orders, inventory }: Shop): Handlers => ({
  listPets: list(pets.list),
  createPet: create(pets.create),
  getPet: get(pets.get),
  replacePet: change(pets.replace),
  updatePet: change(pets.update),
  deletePet: remove(pets.remove),
  listCategories: list(categories.list),
  createCategory: create(categories.create),
  getCategory: get(categories.get),
  replaceCategory: change(categories.replace),
  updateCategory: change(categories.update),
  deleteCategory: remove(categories.remove),
  listOrders: list(orders.list),
  placeOrder: create(orders.place),
  getOrder: get(orders.get),
  replaceOrder: change(orders.replace),
  updateOrder: change(orders.update),
  cancelOrder: remove(orders.cancel),
  listInventory: list(inventory.list),
  getInventory: get(inventory.get),
  setInventory: set(inventory.set)
})
