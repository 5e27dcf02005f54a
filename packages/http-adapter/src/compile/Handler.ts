/** What answers an operation, between decoding and encoding: it runs a program of the shop and says how that is rendered. */
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type { Attempt, Engine, IfRevision, MaybePromise, RequestContext, StorageError } from "@petstore/core"
import type { Endpoint, OperationId } from "../contract/OperationId.js"
import type { Refusal } from "../contract/errors.js"

/** A decoded request. */
export type Asked<Query, Body> = {
  readonly context: RequestContext
  /** The path parameter; 0 for a path without one. */
  readonly id: number
  readonly query: Query
  readonly body: Body
  readonly condition: IfRevision
  /** Of a request that carries an idempotency key: what it may be a repetition of. */
  readonly attempt: Attempt | undefined
}

/** A record as its caller sees it; the contract's schema says which members are written. */
export type Shown = Readonly<Record<string, unknown>>

/** What is written: one record with its tag (and its place, where it is new), a page of them, nothing, or a refusal. */
export type Rendered =
  | {
      readonly kind: "record"
      readonly created: boolean
      readonly shown: Shown
      readonly id: number
      readonly revision: number
    }
  | {
      readonly kind: "page"
      readonly items: ReadonlyArray<Shown>
      readonly next: string | undefined
      readonly total: number | undefined
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly refusal: Refusal | StorageError }

/** What an operation answered, and whether it had answered it before, to an earlier attempt. */
export type Outcome =
  | Rendered
  | { readonly kind: "told"; readonly rendered: Rendered; readonly replayed: boolean }

/**
 * Declared as a method, so that a handler of particular inputs stands where any handler does: the compiled operation
 * gives it exactly what the contract's schemas decoded, which {@link Handlers} ties to the same names.
 */
export type Handler<Query, Body> = {
  start(engine: Engine, asked: Asked<Query, Body>): MaybePromise<Outcome>
}

/** What is answered in full: all but the stream of events, which the service opens itself. */
export type AnsweredId = Exclude<OperationId, "streamEvents">

/** A handler for every operation of the contract that is answered in full, each taking what the contract says it takes. */
export type Handlers = {
  readonly [Id in AnsweredId]: Handler<
    HttpApiEndpoint.HttpApiEndpoint.UrlParams<Endpoint<Id>>,
    HttpApiEndpoint.HttpApiEndpoint.Payload<Endpoint<Id>>
  >
}
