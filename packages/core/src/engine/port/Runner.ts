/** Functions that run programs on a storage: synchronously if the storage is synchronous. */
import type * as Either from "effect/Either"
import type { MaybePromise } from "../../value/maybePromise.js"
import type { ReadRequest, RefusalOf, Refuse, Request } from "../program/Program.js"
import type { StorageError } from "./StorageError.js"

/** Runs a reading program. A defect is thrown, or rejects the promise. */
export type Read = <A, Yields extends ReadRequest | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
) => MaybePromise<Either.Either<A, RefusalOf<Yields> | StorageError>>

/** Runs a program as one transaction, which may share its commit with others. */
export type Write = <A, Yields extends Request | Refuse<unknown>>(
  start: () => Generator<Yields, A, unknown>
) => MaybePromise<Either.Either<A, RefusalOf<Yields> | StorageError>>
