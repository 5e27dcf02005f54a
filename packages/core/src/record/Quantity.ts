/** Counts of units. */
import * as Schema from "effect/Schema"
import { expected } from "./Expected.js"

export const MAX_QUANTITY = 2 ** 31 - 1

const wholeFrom = (least: number) =>
  Schema.Number.pipe(
    Schema.filter((count) => Number.isInteger(count) && count >= least && count <= MAX_QUANTITY),
    expected(`a whole number from ${least} to ${MAX_QUANTITY}`, {
      type: "integer",
      format: "int32",
      minimum: least,
      maximum: MAX_QUANTITY
    })
  )

/** Units for sale: 0 to 2^31 − 1. */
export const StockQuantity = wholeFrom(0)

/** Units in an order: 1 to 2^31 − 1. */
export const OrderQuantity = wholeFrom(1)
