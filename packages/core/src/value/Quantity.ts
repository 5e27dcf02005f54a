/** Counts of units. */
import { integer } from "./Field.js"

/** The maximum number of units, 2^31 − 1. */
export const MAX_QUANTITY = 2 ** 31 - 1

const unitsFrom = (from: number) =>
  integer({
    expected: `a whole number from ${from} to ${MAX_QUANTITY}`,
    from,
    to: MAX_QUANTITY,
    format: "int32"
  })

/** Units for sale: 0 to 2^31 − 1. */
export const StockQuantity = unitsFrom(0)

/** Units in an order: 1 to 2^31 − 1. */
export const OrderQuantity = unitsFrom(1)
