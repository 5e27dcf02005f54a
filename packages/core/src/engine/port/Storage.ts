/** The port for records: an interpreter of transaction programs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { MaybePromise } from "../../value/maybePromise.js"
import type { Collection, Row } from "../program/Collection.js"
import type { Program, ReadProgram } from "../program/Program.js"
import type { StorageError } from "./StorageError.js"

/**
 * The storage of records, as every backend provides it.
 *
 * `read` runs the program against one state of the store. `write` is atomic (all writes of the
 * program or none), serialisable (as if programs ran one after the other), and on success as
 * durable as the backend is. A refusal or a defect rolls everything back, including assigned ids.
 * Programs are passed as functions because the storage may start one again.
 *
 * Changing a row that was passed in or returned does not change the stored row.
 */
export class Storage extends Context.Tag("@petstore/core/Storage")<
  Storage,
  {
    readonly read: <A, E>(program: () => ReadProgram<A, E>) => Effect.Effect<A, E | StorageError>
    readonly write: <A, E>(program: () => Program<A, E>) => Effect.Effect<A, E | StorageError>
    /**
     * A capability: whether the storage can be reached, as far as it knows without waiting. While
     * it returns false, a server reports that it is not ready. A storage without it counts as
     * ready.
     */
    readonly isReady?: () => boolean
  }
>() {}

/** Runs programs at once. Every method besides `read` and `write` is a capability. */
export type DirectPort = {
  readonly read: <A, E>(program: () => ReadProgram<A, E>) => Either.Either<A, E | StorageError>
  readonly write: <A, E>(program: () => Program<A, E>) => Either.Either<A, E | StorageError>
  /**
   * `write` for callers that can wait: the backend may commit concurrent programs together, and
   * then returns a promise. A defect of the program is thrown, or rejects the promise. By default
   * the same as `write`.
   */
  readonly submit?: <A, E>(
    program: () => Program<A, E>
  ) => MaybePromise<Either.Either<A, E | StorageError>>
  /**
   * Whether rows that were read of these collections are still current: between two calls that
   * return the same number, no process has changed a row of them. So a cache calls it first, then
   * reads, and is valid as long as the number stays the same. The number may change without a
   * write. It costs less than a read. NaN, which equals no number, means unknown, and is the
   * default: nothing is cached.
   */
  readonly dataVersion?: (collections: ReadonlyArray<Collection<Row>>) => number
  /**
   * Calls `run`, which reads: its reads and data versions may all see the state that the first of
   * them since `endSharedSnapshot` saw, unless this store has written since. It is for a server
   * that handles several requests, all of them sent before it read the first. Reads outside of
   * `run` see their own state. By default each read sees its own.
   */
  readonly withSharedSnapshot?: (run: () => void) => void
  /**
   * Called before the server reads requests that had not arrived. Comes with `withSharedSnapshot`.
   */
  readonly endSharedSnapshot?: () => void
}

/**
 * The synchronous form of {@link Storage}, a capability of backends that never wait. The guarantees
 * are the same.
 */
export class DirectStorage extends Context.Tag("@petstore/core/DirectStorage")<
  DirectStorage,
  DirectPort
>() {}
