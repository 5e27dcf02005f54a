/** Orders (SPEC.md §2: no field is required). */
import * as Schema from "effect/Schema"
import { Id, Reference } from "./Id.js"
import { Instant } from "./Instant.js"
import { OrderQuantity } from "./Quantity.js"

/** What placing or replacing an order takes. `{}` is a valid order and holds nothing. */
export const NewOrder = Schema.Struct({
  petId: Schema.optionalWith(Reference, { exact: true }),
  quantity: Schema.optionalWith(OrderQuantity, { exact: true }),
  shipDate: Schema.optionalWith(Instant, { exact: true }),
  complete: Schema.optionalWith(Schema.Boolean, { exact: true })
}).annotations({ identifier: "NewOrder" })
/** As decoded: `shipDate` in milliseconds. */
export type NewOrder = typeof NewOrder.Type
/** As written by a caller: `shipDate` is an RFC 3339 text. */
export type NewOrderInput = typeof NewOrder.Encoded

/** A merge patch of an order (RFC 7396): absent stays, null removes `petId`, `quantity` or `shipDate`. */
export const OrderPatch = Schema.Struct({
  petId: Schema.optionalWith(Schema.NullOr(Reference), { exact: true }),
  quantity: Schema.optionalWith(Schema.NullOr(OrderQuantity), { exact: true }),
  shipDate: Schema.optionalWith(Schema.NullOr(Instant), { exact: true }),
  complete: Schema.optionalWith(Schema.Boolean, { exact: true })
}).annotations({ identifier: "OrderPatch" })
export type OrderPatch = typeof OrderPatch.Type
export type OrderPatchInput = typeof OrderPatch.Encoded

export const Order = Schema.Struct({
  id: Schema.optionalWith(Id, { exact: true }),
  petId: Schema.optionalWith(Id, { exact: true }),
  quantity: Schema.optionalWith(OrderQuantity, { exact: true }),
  shipDate: Schema.optionalWith(Instant, { exact: true }),
  complete: Schema.optionalWith(Schema.Boolean, { exact: true })
}).annotations({ identifier: "Order" })
/** As returned: `shipDate` is an RFC 3339 text in UTC; `id` and `complete` are always there. */
export type Order = typeof Order.Encoded & { readonly id: number; readonly complete: boolean }
