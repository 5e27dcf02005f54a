/** Orders (SPEC.md §2: no field is required). */
import { Id, Reference } from "../../value/Id.js"
import { Instant, StoredInstant } from "../../value/Instant.js"
import { boolean, nullable } from "../../value/Field.js"
import { OrderQuantity } from "../../value/Quantity.js"
import { type Always, type InputOf, optional, type RecordOf, struct } from "../../value/Struct.js"

/** The input for placing or replacing an order. `{}` is a valid order and reserves nothing. */
export const NewOrder = struct("NewOrder", {
  petId: optional(Reference),
  quantity: optional(OrderQuantity),
  shipDate: optional(Instant),
  complete: optional(boolean)
})
/** As decoded: `shipDate` in milliseconds. */
export interface NewOrder extends RecordOf<typeof NewOrder> {}
/** As written by a caller: `shipDate` is an RFC 3339 text. */
export interface NewOrderInput extends InputOf<typeof NewOrder> {}

/**
 * A merge patch of an order (RFC 7396): absent fields stay, null removes `petId`, `quantity` or
 * `shipDate`.
 */
export const OrderPatch = struct("OrderPatch", {
  petId: optional(nullable(Reference)),
  quantity: optional(nullable(OrderQuantity)),
  shipDate: optional(nullable(Instant)),
  complete: optional(boolean)
})
export interface OrderPatch extends RecordOf<typeof OrderPatch> {}

/** As written by a caller: `shipDate` is an RFC 3339 text. */
export interface OrderPatchInput extends InputOf<typeof OrderPatch> {}

export const Order = struct("Order", {
  id: optional(Id),
  petId: optional(Id),
  quantity: optional(OrderQuantity),
  shipDate: optional(StoredInstant),
  complete: optional(boolean)
})
/** As returned: `shipDate` is an RFC 3339 text in UTC; `id` and `complete` are always there. */
export interface Order extends Always<InputOf<typeof Order>, "id" | "complete"> {}
