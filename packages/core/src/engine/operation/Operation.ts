/**
 * One operation: a program, the validation of its input and the presentation of its result. APIs
 * and adapters are made from these.
 */
import * as Either from "effect/Either"
import type { ReadRequest, Refuse, Request } from "../program/Program.js"
import { echo } from "../../value/echo.js"
import { type InvalidParameter, ValidationFailed } from "../../value/errors.js"
import type { RequestContext } from "./RequestContext.js"

type List = ReadonlyArray<unknown>

/** Checks the arguments of a library caller, and decodes them to the input of the program. */
type Validate<Args extends List, Input extends List> = (
  ...args: Args
) => Either.Either<Readonly<Input>, ValidationFailed | InvalidParameter>

type AnyRefusal = Refuse<unknown>

/** An operation. `Yields` has its requests to the storage and its errors. */
export type Operation<
  Kind extends "read" | "write",
  Args extends List,
  Input extends List,
  Stored,
  Result,
  Yields extends Request | AnyRefusal
> = {
  readonly kind: Kind
  readonly validate: Validate<Args, Input>
  readonly program: (context: RequestContext, ...input: Input) => Generator<Yields, Stored, unknown>
  /** Converts the stored form to the result for callers. */
  readonly present: (stored: Stored) => Result
}

/** An operation that only reads. */
export type ReadOperation<
  Args extends List,
  Input extends List,
  Stored,
  Result,
  Yields extends ReadRequest | AnyRefusal
> = Operation<"read", Args, Input, Stored, Result, Yields>

/** An operation that may write. */
export type WriteOperation<
  Args extends List,
  Input extends List,
  Stored,
  Result,
  Yields extends Request | AnyRefusal
> = Operation<"write", Args, Input, Stored, Result, Yields>

export const read = <
  Args extends List,
  Input extends List,
  Stored,
  Result,
  Yields extends ReadRequest | AnyRefusal
>(
  operation: Omit<ReadOperation<Args, Input, Stored, Result, Yields>, "kind">
): ReadOperation<Args, Input, Stored, Result, Yields> => ({ kind: "read", ...operation })

export const write = <
  Args extends List,
  Input extends List,
  Stored,
  Result,
  Yields extends Request | AnyRefusal
>(
  operation: Omit<WriteOperation<Args, Input, Stored, Result, Yields>, "kind">
): WriteOperation<Args, Input, Stored, Result, Yields> => ({ kind: "write", ...operation })

/** Validates the id of a record: an integer from 1, of any size. */
export const validateId = (id: number): Either.Either<number, ValidationFailed> =>
  typeof id === "number" && Number.isInteger(id) && id >= 1
    ? Either.right(id)
    : Either.left(
        new ValidationFailed({
          issues: [{ field: "id", expected: "a whole number from 1", got: echo(id) }]
        })
      )

/** Validates an id, and takes another value that was validated; a wrong id is reported first. */
export const validateIdWith = <A, E>(id: number, beside: Either.Either<A, E>) =>
  Either.flatMap(validateId(id), (input) => Either.map(beside, (given) => [input, given] as const))

/** Validates an id alone. */
export const validateIdAlone = (id: number) =>
  Either.map(validateId(id), (input) => [input] as const)

/** The operation that reads one record by its id. */
export const readById = <Stored, Result, Yields extends ReadRequest | AnyRefusal>(
  find: (id: number) => Generator<Yields, Stored, unknown>,
  present: (stored: Stored) => Result
) => read({ validate: validateIdAlone, program: (_context, id: number) => find(id), present })
