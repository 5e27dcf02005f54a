/** One operation of the shop: a program, and what stands on either side of it. Faces and adapters are made from these. */
import * as Either from "effect/Either"
import type { ReadRequest, Refuse, Request } from "../program/Program.js"
import { echo } from "../../value/echo.js"
import { type InvalidParameter, ValidationFailed } from "../../value/errors.js"
import type { RequestContext } from "./RequestContext.js"

type List = ReadonlyArray<unknown>

/** Checks what a library caller hands in, and decodes it to what the program takes. */
export type Accept<Input extends List, Asked extends List> = (
  ...input: Input
) => Either.Either<Readonly<Asked>, ValidationFailed | InvalidParameter>

type AnyRefusal = Refuse<unknown>

/** An operation that only reads. `Yields` says what it may ask of a storage and how it may refuse. */
export type ReadOperation<
  Input extends List,
  Asked extends List,
  Stored,
  Shown,
  Yields extends ReadRequest | AnyRefusal
> = {
  readonly kind: "read"
  readonly accept: Accept<Input, Asked>
  readonly program: (context: RequestContext, ...asked: Asked) => Generator<Yields, Stored, unknown>
  /** What a caller gets to see of the answer. */
  readonly show: (stored: Stored) => Shown
}

/** An operation that may write. */
export type WriteOperation<
  Input extends List,
  Asked extends List,
  Stored,
  Shown,
  Yields extends Request | AnyRefusal
> = {
  readonly kind: "write"
  readonly accept: Accept<Input, Asked>
  readonly program: (context: RequestContext, ...asked: Asked) => Generator<Yields, Stored, unknown>
  readonly show: (stored: Stored) => Shown
}

export const read = <
  Input extends List,
  Asked extends List,
  Stored,
  Shown,
  Yields extends ReadRequest | AnyRefusal
>(
  operation: Omit<ReadOperation<Input, Asked, Stored, Shown, Yields>, "kind">
): ReadOperation<Input, Asked, Stored, Shown, Yields> => ({ kind: "read", ...operation })

export const write = <
  Input extends List,
  Asked extends List,
  Stored,
  Shown,
  Yields extends Request | AnyRefusal
>(
  operation: Omit<WriteOperation<Input, Asked, Stored, Shown, Yields>, "kind">
): WriteOperation<Input, Asked, Stored, Shown, Yields> => ({ kind: "write", ...operation })

/** A record's id as handed in by a library caller: a positive whole number, whether or not such a record can exist. */
export const acceptId = (id: number): Either.Either<number, ValidationFailed> =>
  typeof id === "number" && Number.isInteger(id) && id >= 1
    ? Either.right(id)
    : Either.left(
        new ValidationFailed({ issues: [{ field: "id", expected: "a whole number from 1", got: echo(id) }] })
      )

/** Takes an id, and what was accepted beside it; an id that can't be is told first. */
export const acceptIdWith = <A, E>(id: number, beside: Either.Either<A, E>) =>
  Either.flatMap(acceptId(id), (asked) => Either.map(beside, (given) => [asked, given] as const))

/** Takes an id and nothing else. */
export const acceptIdAlone = (id: number) => Either.map(acceptId(id), (asked) => [asked] as const)
