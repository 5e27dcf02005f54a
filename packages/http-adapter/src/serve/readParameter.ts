/** Decodes the path parameter of a request. */
import { InvalidParameter } from "@petstore/core"
import { echo, isId } from "@petstore/core/adapter"
import type { Operation } from "../compile/Operation.js"
import { NoSuchRecord, type Refusal } from "../contract/errors.js"
import type { Exchange } from "../exchange/Exchange.js"

/** Sets the id of the exchange, or returns the refusal. */
export const readParameter = (
  exchange: Exchange,
  { parameter }: Operation
): Refusal | undefined => {
  if (parameter === undefined) return undefined
  const { name, reader } = parameter
  const text = exchange.parameter
  const id = reader.read(text)
  if (typeof id !== "number")
    return new InvalidParameter({ parameter: name, expected: reader.expected, got: echo(text) })
  if (!isId(id)) return new NoSuchRecord({ parameter: name, digits: text })
  exchange.id = id
  return undefined
}
