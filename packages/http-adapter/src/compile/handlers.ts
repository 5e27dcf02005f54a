/** The program of the shop behind each operation of the contract. */
import type {
  IfRevision,
  InvalidParameter,
  Page,
  StorageError,
  ValidationFailed
} from "@petstore/core"
import {
  andThen,
  type ListPlan,
  type RequestContext,
  type RecordGroups,
  type Shop
} from "@petstore/core/adapter"
import type { ReadRequest, Refuse, Request } from "@petstore/core/storage"
import * as Either from "effect/Either"
import type { Refusal } from "../contract/errors.js"
import { type Route, ROUTES } from "../contract/routes.js"
import type { Handler, Handlers, Result, View } from "./Handler.js"
import { write } from "./write.js"

type RowId = { readonly id: number; readonly revision: number }
type Reads = ReadRequest | Refuse<Refusal>
type Writes = Request | Refuse<Refusal>

type Program<Input extends ReadonlyArray<unknown>, A, Yields> = (
  context: RequestContext,
  ...input: Input
) => Generator<Yields, A, unknown>

const NOTHING: Result = { kind: "nothing" }

const record = (shown: View, { id, revision }: RowId, created: boolean): Result => ({
  kind: "record",
  created,
  shown,
  id,
  revision
})

/** The result of a program: its value as `resultOf` makes it, or its refusal. */
const outcomeOf =
  <A>(resultOf: (value: A) => Result) =>
  (outcome: Either.Either<A, Refusal | StorageError>): Result =>
    Either.isRight(outcome) ? resultOf(outcome.right) : { kind: "refused", refusal: outcome.left }

/** One record by its id. */
const get = <R extends RowId, Yields extends Reads>(operation: {
  readonly program: Program<[id: number], R, Yields>
  readonly present: (row: R) => View
}): Handler<never, never> => {
  const toResult = outcomeOf((row: R) => record(operation.present(row), row, false))
  return {
    start: (engine, { context, id }) =>
      andThen(
        engine.read(() => operation.program(context, id)),
        toResult
      )
  }
}

/** A page. The listing checks the query. */
const list = <Query extends object, R, Yields extends Reads>(operation: {
  readonly validate: (
    query: Query
  ) => Either.Either<readonly [ListPlan], InvalidParameter | ValidationFailed>
  readonly program: Program<[plan: ListPlan], Page<R>, Yields>
  readonly present: (page: Page<R>) => Page<View>
}): Handler<Query, never> => {
  const toResult = outcomeOf((page: Page<R>) => {
    const { items, next, total } = operation.present(page)
    return { kind: "page", items, next, total }
  })
  // The query reader caches equal queries as one object, so their plan is made once.
  const plans = new WeakMap<Query, ReturnType<typeof operation.validate>>()
  const planOf = (query: Query) => {
    const cached = plans.get(query)
    if (cached !== undefined) return cached
    const plan = operation.validate(query)
    plans.set(query, plan)
    return plan
  }
  return {
    start: (engine, { context, query }) => {
      const validated = planOf(query)
      if (Either.isLeft(validated)) return { kind: "refused", refusal: validated.left }
      const [plan] = validated.right
      return andThen(
        engine.read(() => operation.program(context, plan)),
        toResult
      )
    }
  }
}

/** A new record. */
const create = <Body, R extends RowId, Yields extends Writes>(operation: {
  readonly program: Program<[input: Body], R, Yields>
  readonly present: (row: R) => View
}): Handler<never, Body> => {
  const toResult = outcomeOf((row: R) => record(operation.present(row), row, true))
  return {
    start: (engine, { context, body, attempt }) =>
      write(engine, attempt, () => operation.program(context, body), toResult)
  }
}

/** A changed record, under a condition. */
const change = <Body, R extends RowId, Yields extends Writes>(operation: {
  readonly program: Program<[id: number, input: Body, condition: IfRevision], R, Yields>
  readonly present: (row: R) => View
}): Handler<never, Body> => {
  const toResult = outcomeOf((row: R) => record(operation.present(row), row, false))
  return {
    start: (engine, { context, id, body, condition, attempt }) =>
      write(engine, attempt, () => operation.program(context, id, body, condition), toResult)
  }
}

/** A deleted record. */
const remove = <Yields extends Writes>(operation: {
  readonly program: Program<[id: number, condition: IfRevision], void, Yields>
}): Handler<never, never> => {
  const toResult = outcomeOf(() => NOTHING)
  return {
    start: (engine, { context, id, condition, attempt }) =>
      write(engine, attempt, () => operation.program(context, id, condition), toResult)
  }
}

type Set<R> = { readonly item: R; readonly created: boolean }

/** A record that is created or replaced. */
const set = <Body, R extends RowId, Yields extends Writes>(operation: {
  readonly program: Program<[id: number, input: Body, condition: IfRevision], Set<R>, Yields>
  readonly present: (stored: Set<R>) => View
}): Handler<never, Body> => {
  const toResult = outcomeOf((stored: Set<R>) =>
    record(operation.present(stored), stored.item, stored.created)
  )
  return {
    start: (engine, { context, id, body, condition, attempt }) =>
      write(engine, attempt, () => operation.program(context, id, body, condition), toResult)
  }
}

/** The handler of each method. Methods of one name do the same in every group. */
const HANDLERS = {
  list,
  get,
  create,
  place: create,
  replace: change,
  update: change,
  set,
  remove,
  cancel: remove
}

/** The handler of an operation of the shop, by the input of its program. */
type HandlerFor<Operation> = Operation extends {
  readonly validate: (...input: infer Input) => unknown
  readonly program: (context: RequestContext, ...input: infer Decoded) => unknown
}
  ? Decoded extends readonly [plan: ListPlan]
    ? Handler<NonNullable<Input[0]>, never>
    : Decoded extends readonly [id: number, input: infer Body, condition: IfRevision]
      ? Handler<never, Body>
      : Decoded extends readonly [id: number, condition?: IfRevision]
        ? Handler<never, never>
        : Decoded extends readonly [input: infer Body]
          ? Handler<never, Body>
          : never
  : never

/** Each served operation's id, with the handler of its method. */
type OperationHandler = {
  readonly [Group in keyof typeof ROUTES]: {
    readonly [Method in keyof (typeof ROUTES)[Group] & keyof RecordGroups[Group]]: readonly [
      Extract<(typeof ROUTES)[Group][Method], Route>["operation"],
      HandlerFor<RecordGroups[Group][Method]>
    ]
  }[keyof (typeof ROUTES)[Group] & keyof RecordGroups[Group]]
}[keyof typeof ROUTES]

type ServedHandlers = { readonly [Each in OperationHandler as Each[0]]: Each[1] }

/**
 * The first cast says that every method has the operation that its handler takes, the second that
 * there is a route for each. That the bodies and queries are the contract's is left to the
 * compiler.
 */
export const handlersOf = (shop: Shop): Handlers => {
  const handlers = Object.entries(ROUTES).flatMap(([group, routes]) =>
    Object.entries(routes).map(([method, { operation }]) => {
      const make = HANDLERS[method as keyof typeof HANDLERS] as (of: unknown) => unknown
      return [operation, make(Object(shop[group as keyof typeof ROUTES])[method])]
    })
  )
  return Object.fromEntries(handlers) as ServedHandlers
}
