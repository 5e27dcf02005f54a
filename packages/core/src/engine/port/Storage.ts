/** Where records are kept: an interpreter of transaction programs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { MaybePromise } from "../../value/maybePromise.js"
import type { Collection, Row } from "../program/Collection.js"
import type { Program, ReadProgram } from "../program/Program.js"
import type { StorageError } from "./StorageError.js"

/**
 * What every backend provides.
 *
 * `read` runs the program against one state of the store. `write` is atomic (all of the program's
 * writes or none), serialisable (as if programs ran one after the other), and durable, as far as
 * the backend is, when it succeeds. A refusal or a defect rolls everything back, including ids that
 * were assigned. Programs are given as functions since one may be started again.
 *
 * Rows that go in or come out can't be used to change what is stored.
 */
export class Storage extends Context.Tag("@petstore/core/Storage")<
  Storage,
  {
    readonly read: <A, E>(program: () => ReadProgram<A, E>) => Effect.Effect<A, E | StorageError>
    readonly write: <A, E>(program: () => Program<A, E>) => Effect.Effect<A, E | StorageError>
    /**
     * A capability: whether the storage can be reached, as far as it can tell at once. A server
     * denies its readiness while it answers false. Without it a storage counts as ready.
     */
    readonly isReady?: () => boolean
  }
>() {}

/**
 * What backends that answer at once provide beside {@link Storage}: the same promises, without an
 * effect.
 *
 * `read` and `write` answer before they return. `submit` is `write` for callers that can wait a
 * moment: the backend may let programs that are under way at the same time share what a commit
 * costs, and then promises its answer. A defect of a submitted program is thrown, or rejects the
 * promise.
 *
 * `edition` tells whether what was read of these collections is still what a read would find:
 * between two calls that answer the same number, nobody, in this process or another, has changed a
 * row of theirs. So a caller asks first, then reads, and keeps what it read for as long as the
 * number stays. It may change without need. It costs less than a read, and where it can't be told
 * it is NaN, which equals no number.
 *
 * `together` runs what reads: its reads and editions may all see the state that the first of them
 * since `apart` saw, unless this store has written since. It is for a server that has several
 * requests at hand, all of them sent before it looked at the first. Reads outside of `run` are of
 * their own moment. `apart` is called before anything can be asked for that was not at hand.
 */
export class DirectStorage extends Context.Tag("@petstore/core/DirectStorage")<
  DirectStorage,
  {
    readonly read: <A, E>(program: () => ReadProgram<A, E>) => Either.Either<A, E | StorageError>
    readonly write: <A, E>(program: () => Program<A, E>) => Either.Either<A, E | StorageError>
    readonly edition: (collections: ReadonlyArray<Collection<Row>>) => number
    readonly submit: <A, E>(program: () => Program<A, E>) => MaybePromise<Either.Either<A, E | StorageError>>
    readonly together: (run: () => void) => void
    readonly apart: () => void
  }
>() {}
