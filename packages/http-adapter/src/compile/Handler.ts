/** The handler of an operation: runs a program of the shop on decoded input. */
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type { IfRevision, StorageError } from "@petstore/core"
import type { Attempt, Engine, MaybePromise, RequestContext } from "@petstore/core/adapter"
import type { Endpoint, OperationId } from "../contract/OperationId.js"
import type { Refusal } from "../contract/errors.js"

/** A decoded request. */
export type Input<Query, Body> = {
  readonly context: RequestContext
  /** The path parameter; 0 for a path without one. */
  readonly id: number
  readonly query: Query
  readonly body: Body
  readonly condition: IfRevision
  /** Undefined for a request without an idempotency key. */
  readonly attempt: Attempt | undefined
}

/** A record as its caller sees it. The contract's schema decides which members are written. */
export type View = Readonly<Record<string, unknown>>

/**
 * The result of an operation. It is stored for idempotency keys, so its members keep their names.
 */
export type Result =
  | {
      readonly kind: "record"
      readonly created: boolean
      readonly shown: View
      readonly id: number
      readonly revision: number
    }
  | {
      readonly kind: "page"
      readonly items: ReadonlyArray<View>
      readonly next: string | undefined
      readonly total: number | undefined
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly refusal: Refusal | StorageError }

/** A result, or the stored result for an idempotency key. */
export type Outcome =
  | Result
  | { readonly kind: "stored"; readonly result: Result; readonly replayed: boolean }

/**
 * `start` is a method, so that a handler of particular inputs is assignable to one of any input.
 * The compiled operation calls it with what the contract's schemas decoded; {@link Handlers} ties
 * both.
 */
export type Handler<Query, Body> = {
  start(engine: Engine, input: Input<Query, Body>): MaybePromise<Outcome>
}

/** The operations with a handler: all but the event stream, which the service opens itself. */
export type HandledId = Exclude<OperationId, "streamEvents">

/** The handlers, with the input types of the contract. */
export type Handlers = {
  readonly [Id in HandledId]: Handler<
    HttpApiEndpoint.HttpApiEndpoint.UrlParams<Endpoint<Id>>,
    HttpApiEndpoint.HttpApiEndpoint.Payload<Endpoint<Id>>
  >
}
