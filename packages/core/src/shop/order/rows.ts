/** The stored form of orders, and their presentation. */
import { recordType } from "../RecordType.js"
import { Order } from "./Order.js"
import { pets } from "../pet/rows.js"
import { formatInstant } from "../../value/Instant.js"
import { collectionOf } from "../../engine/program/Collection.js"
import {
  boolean,
  hold,
  integer,
  optionalInstant,
  optionalInteger
} from "../../engine/program/columns.js"

/** The stored form of an order. */
export type OrderRow = {
  readonly id: number
  readonly revision: number
  readonly petId: number | null
  readonly quantity: number | null
  readonly shipDateMs: number | null
  readonly complete: boolean
  /** The units that an open order reserves, or that a completed one has sold. */
  readonly held: number
}

/** Orders. */
export const orders = collectionOf<OrderRow>()({
  name: "orders",
  key: "assigned",
  columns: {
    // No reference: a completed order keeps the id of its pet after the pet is removed. That the
    // pet of a new order exists is checked where its units are taken.
    petId: hold(pets, { complete: false }),
    quantity: optionalInteger,
    shipDateMs: optionalInstant,
    complete: boolean,
    held: integer
  },
  indexes: [
    { name: "complete", on: ["complete"], sort: "id" },
    { name: "pet_complete", on: ["petId", "complete"], sort: "id" },
    { name: "complete_ship_date", on: ["complete"], sort: "shipDateMs", nullsInIdIndex: true },
    {
      name: "pet_complete_ship_date",
      on: ["petId", "complete"],
      sort: "shipDateMs",
      nullsInIdIndex: true
    }
  ],
  counts: [{ name: "complete", on: ["complete"] }]
})

export const presentOrder = ({ id, petId, quantity, shipDateMs, complete }: OrderRow): Order => ({
  id,
  ...(petId === null ? {} : { petId }),
  ...(quantity === null ? {} : { quantity }),
  ...(shipDateMs === null ? {} : { shipDate: formatInstant(shipDateMs) }),
  complete
})

/**
 * Orders in the feed. An order placed as complete is `order.placed`; `order.completed` needs an
 * order that was open before.
 */
export const orderType = recordType({
  kind: "order",
  collection: orders,
  struct: Order,
  present: presentOrder,
  changes: {
    created: "order.placed",
    updated: "order.updated",
    special: "order.completed",
    deleted: "order.cancelled"
  },
  isSpecial: (before, after) => !before.complete && after.complete
})
