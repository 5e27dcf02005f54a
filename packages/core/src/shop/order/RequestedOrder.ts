/**
 * An order as a caller requests it, with defaults filled in: one unit of a pet, and not complete.
 */
import type { NewOrder, OrderPatch } from "./Order.js"
import type { OrderRow } from "./rows.js"

export type RequestedOrder = Pick<OrderRow, "petId" | "quantity" | "shipDateMs" | "complete">

const withDefaults = (order: RequestedOrder): RequestedOrder => ({
  ...order,
  quantity: order.petId === null ? order.quantity : (order.quantity ?? 1)
})

/** A new order, or one that replaces another. */
export const requestedOrder = (input: NewOrder): RequestedOrder =>
  withDefaults({
    petId: input.petId ?? null,
    quantity: input.quantity ?? null,
    shipDateMs: input.shipDate ?? null,
    complete: input.complete ?? false
  })

/** A merge patch: an absent field stays, null removes. */
const patched = <A>(input: A | undefined, before: A): A => (input === undefined ? before : input)

export const patchedOrder = (before: OrderRow, input: OrderPatch): RequestedOrder =>
  withDefaults({
    petId: patched<number | null>(input.petId, before.petId),
    quantity: patched<number | null>(input.quantity, before.quantity),
    shipDateMs: patched<number | null>(input.shipDate, before.shipDateMs),
    complete: patched(input.complete, before.complete)
  })
