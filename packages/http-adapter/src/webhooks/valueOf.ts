/** Turns the store's results into promises. */
import type { StorageError } from "@petstore/core"
import * as Either from "effect/Either"

/** Resolves with the value; rejects with the error of the storage. */
export const valueOf = async <A>(
  result: Either.Either<A, StorageError> | Promise<Either.Either<A, StorageError>>
): Promise<A> => Either.getOrThrowWith(await result, (error) => error)
