/**
 * The three APIs of one engine, made from the same operations: effects, promises, and direct calls.
 */
import type * as Effect from "effect/Effect"
import type { RefusalOf, Refuse } from "../engine/program/Program.js"
import type { InvalidParameter, ValidationFailed } from "../value/errors.js"
import type { Operation } from "../engine/operation/Operation.js"
import type { StorageError } from "../engine/port/StorageError.js"

type Parts<Each> =
  Each extends Operation<
    infer _Kind,
    infer Args,
    infer _Input,
    infer _Stored,
    infer Result,
    infer Yields
  >
    ? {
        readonly args: Args
        readonly result: Result
        readonly refusal: RefusalOf<Yields>
        readonly yields: Yields
      }
    : never

type Args<Each> = Extract<Parts<Each>["args"], ReadonlyArray<unknown>>

/** The errors of invalid arguments. */
type Unacceptable = ValidationFailed | InvalidParameter

/** Groups of methods that return effects, with every error in the error channel. */
export type EffectApi<Shop> = {
  readonly [Group in keyof Shop]: {
    readonly [Verb in keyof Shop[Group]]: (
      ...args: Args<Shop[Group][Verb]>
    ) => Effect.Effect<
      Parts<Shop[Group][Verb]>["result"],
      Parts<Shop[Group][Verb]>["refusal"] | Unacceptable | StorageError
    >
  }
}

/** Groups of methods that return promises, which reject with the tagged error itself. */
export type PromiseApi<Shop> = {
  readonly [Group in keyof Shop]: {
    readonly [Verb in keyof Shop[Group]]: (
      ...args: Args<Shop[Group][Verb]>
    ) => Promise<Parts<Shop[Group][Verb]>["result"]>
  }
}

/** Groups of synchronous methods, which throw the tagged error itself. */
export type DirectApi<Shop> = {
  readonly [Group in keyof Shop]: {
    readonly [Verb in keyof Shop[Group]]: (
      ...args: Args<Shop[Group][Verb]>
    ) => Parts<Shop[Group][Verb]>["result"]
  }
}

/** Groups of methods to `yield*` inside a transaction, and the time of the transaction. */
export type TransactionApi<Shop> = TransactionVerbs<Shop> & {
  /**
   * Milliseconds since 1970: the same for each step, and the date of the records that it creates.
   */
  readonly nowMs: number
}

export type TransactionVerbs<Shop> = {
  readonly [Group in keyof Shop]: {
    readonly [Verb in keyof Shop[Group]]: (
      ...args: Args<Shop[Group][Verb]>
    ) => Generator<
      Parts<Shop[Group][Verb]>["yields"] | Refuse<Unacceptable>,
      Parts<Shop[Group][Verb]>["result"],
      unknown
    >
  }
}
