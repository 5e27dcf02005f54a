/** The epoch of a store's feed: made when it is first read, and stored. */
import * as Either from "effect/Either"
import { andThen, type MaybePromise } from "../value/maybePromise.js"
import type { StorageError } from "../engine/port/StorageError.js"
import { feedEpochs } from "../shop/change/rows.js"
import type { Program, ReadProgram } from "../engine/program/Program.js"
import { get } from "../engine/program/requests.js"
import { insertRow } from "../engine/program/rows.js"

type Answer<A> = MaybePromise<Either.Either<A, StorageError>>

export type EpochPorts = {
  readonly read: <A>(program: () => ReadProgram<A>) => Answer<A>
  readonly write: <A>(program: () => Program<A>) => Answer<A>
  readonly randomBytes: (count: number) => Uint8Array
}

export type Epoch = {
  readonly get: () => Answer<string>
  /** Reads the store again next time. */
  readonly forget: () => void
}

const BYTES = 8

function* stored(): ReadProgram<string | undefined> {
  return (yield* get(feedEpochs, 1))?.epoch
}

function* storedOr(made: string): Program<string> {
  return (yield* stored()) ?? (yield* insertRow(feedEpochs, { id: 1, epoch: made })).epoch
}

export const makeEpoch = ({ read, write, randomBytes }: EpochPorts): Epoch => {
  let epoch: string | undefined
  const keep = (answer: Either.Either<string, StorageError>) => {
    if (Either.isRight(answer)) epoch = answer.right
    return answer
  }
  const name = (): string =>
    Array.from(randomBytes(BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("")
  return {
    get: () => {
      if (epoch !== undefined) return Either.right(epoch)
      return andThen(read(stored), (lookup) => {
        if (Either.isLeft(lookup)) return Either.left(lookup.left)
        if (lookup.right !== undefined) return keep(Either.right(lookup.right))
        const made = name()
        return andThen(
          write(() => storedOr(made)),
          keep
        )
      })
    },
    forget: () => {
      epoch = undefined
    }
  }
}
