/**
 * The operations on orders. Each is one transaction: order, stock and statuses change together or
 * not at all.
 */
import * as Either from "effect/Either"
import type { RecordWrites } from "../RecordWrites.js"
import { instant, is, refersTo } from "../../engine/list/Filter.js"
import type { Listing, Paging } from "../../engine/list/ListQuery.js"
import type { OrderingRules } from "./OrderingPolicy.js"
import { OrderCompleted } from "./errors.js"
import { type OrderRow, orders, presentOrder } from "./rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find, refuse } from "../../engine/program/requests.js"
import { decoder } from "../../value/Decoder.js"
import {
  NewOrder,
  type NewOrderInput,
  type Order,
  OrderPatch,
  type OrderPatchInput
} from "./Order.js"
import { NotFound } from "../../engine/operation/errors.js"
import { readById, write } from "../../engine/operation/Operation.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import { readList } from "../../engine/operation/readList.js"
import {
  validateIdIf,
  validateIdWithIf,
  expectRevision,
  type IfRevision
} from "../../engine/operation/Revision.js"
import { patchedOrder, type RequestedOrder, requestedOrder } from "./RequestedOrder.js"
import { stockMoves } from "./stockMoves.js"

/** The filters of a list of orders. */
export type OrderQuery = Paging<"id" | "shipDate"> & {
  /** Only orders of this pet. */
  readonly petId?: number
  /** Only completed, or only open, orders. */
  readonly complete?: boolean
  /**
   * Only orders that ship at this instant or later (RFC 3339). The list is then sorted by ship
   * date.
   */
  readonly shipDateFrom?: string
  /** Only orders that ship at this instant or earlier. */
  readonly shipDateTo?: string
}

/** What `GET /store/orders` and `store.orders.list` can be filtered and sorted by. */
export const orderListing: Listing<OrderRow> = {
  collection: orders,
  filters: {
    petId: refersTo("petId"),
    complete: is("complete"),
    shipDateFrom: instant("shipDateMs", "from"),
    shipDateTo: instant("shipDateMs", "to")
  },
  sorts: { id: "id", shipDate: "shipDateMs" }
}

function* holdNothing() {
  return 0
}

const validateNewOrder = decoder(NewOrder)
const validatePatch = decoder(OrderPatch)

const findOrder = (id: number): ReadProgram<OrderRow, NotFound> =>
  find(orders, id, () => new NotFound({ kind: "order", id }))

export const orderOperations = (ordering: OrderingRules, records: RecordWrites) => {
  const { giveBackUnits, sellUnits, takeUnits } = stockMoves(ordering, records)

  /** The units that an open order reserves, or that a completed one has sold. */
  const holdUnits = (context: RequestContext, { petId, quantity, complete }: RequestedOrder) =>
    petId === null || quantity === null
      ? holdNothing()
      : takeUnits(context, petId, quantity, complete)

  function* release(context: RequestContext, { petId, held }: OrderRow) {
    if (petId !== null && held > 0) yield* giveBackUnits(context, petId, held)
  }

  function* change(
    context: RequestContext,
    id: number,
    condition: IfRevision,
    next: (before: OrderRow) => RequestedOrder
  ) {
    const order = yield* findOrder(id)
    yield* expectRevision(order, condition)
    const input = next(order)
    const moved = input.petId !== order.petId || input.quantity !== order.quantity
    if (order.complete && ordering.completedIsFinal && (moved || !input.complete)) {
      yield* refuse(new OrderCompleted({ orderId: id }))
    }
    if (moved && !order.complete) {
      yield* release(context, order)
      return yield* records.replace(context, orders, order, {
        ...input,
        held: yield* holdUnits(context, input)
      })
    }
    if (input.complete && !order.complete && order.petId !== null)
      yield* sellUnits(context, order.petId, order.held)
    return yield* records.replace(context, orders, order, input)
  }

  return {
    /**
     * Places an order. `{}` is valid and reserves nothing. With a `petId`, `quantity` units (1 by
     * default) are taken from its stock, or the order is refused: `UnknownPet`,
     * `InsufficientStock`. `complete: true` sells them at once.
     *
     * @example
     * const shipDate = "2026-07-01T12:00:00Z"
     * const order = await store.orders.place({ petId: 1, quantity: 2, shipDate })
     */
    place: write({
      validate: (order: NewOrderInput) =>
        Either.map(validateNewOrder(order), (input) => [input] as const),
      *program(context, input: NewOrder) {
        const order = requestedOrder(input)
        const held = yield* holdUnits(context, order)
        const { petId, quantity, shipDateMs, complete } = order
        return yield* records.insert(context, orders, {
          petId,
          quantity,
          shipDateMs,
          complete,
          held
        })
      },
      present: presentOrder
    }),

    /**
     * One order. Refused: `NotFound`.
     *
     * @example
     * const { complete } = await store.orders.get(1)
     */
    get: readById(findOrder, presentOrder),

    /**
     * A page of orders. Refused: `InvalidParameter`.
     *
     * @example
     * const shipDateTo = "2026-07-31T23:59:59Z"
     * const { items } = await store.orders.list({ complete: false, shipDateTo })
     */
    list: readList<OrderQuery, OrderRow, Order>(orderListing, presentOrder),

    /**
     * Replaces an order; absent fields are removed. A change of pet or quantity moves the
     * difference. Refused: `NotFound`, `UnknownPet`, `InsufficientStock`, `OrderCompleted`,
     * `PreconditionFailed`.
     *
     * @example
     * await store.orders.replace(1, { petId: 1, quantity: 3 })
     */
    replace: write({
      validate: (id: number, order: NewOrderInput, condition: IfRevision = {}) =>
        validateIdWithIf(id, validateNewOrder(order), condition),
      program: (context, id: number, input: NewOrder, condition: IfRevision) =>
        change(context, id, condition, () => requestedOrder(input)),
      present: presentOrder
    }),

    /**
     * Changes the given fields; null removes `petId`, `quantity` or `shipDate`. Refused like
     * `replace`.
     *
     * @example
     * await store.orders.update(1, { complete: true })
     */
    update: write({
      validate: (id: number, patch: OrderPatchInput, condition: IfRevision = {}) =>
        validateIdWithIf(id, validatePatch(patch), condition),
      program: (context, id: number, input: OrderPatch, condition: IfRevision) =>
        change(context, id, condition, (before) => patchedOrder(before, input)),
      present: presentOrder
    }),

    /**
     * Cancels an open order and gives its units back. Refused: `NotFound`, `OrderCompleted`,
     * `PreconditionFailed`.
     *
     * @example
     * await store.orders.cancel(1)
     */
    cancel: write({
      validate: validateIdIf,
      *program(context, id: number, condition: IfRevision) {
        const order = yield* findOrder(id)
        yield* expectRevision(order, condition)
        if (order.complete) {
          if (ordering.completedIsFinal) yield* refuse(new OrderCompleted({ orderId: id }))
        } else {
          yield* release(context, order)
        }
        yield* records.remove(context, orders, order)
      },
      present: () => undefined
    })
  }
}
