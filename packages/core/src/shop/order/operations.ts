/** What can be done with orders. Every operation is one transaction: order, stock and statuses change together or not at all. */
import * as Either from "effect/Either"
import type { RecordWrites } from "../change/RecordWrites.js"
import { instant, is, refersTo } from "../../engine/list/Filter.js"
import { type Listing, type Paging, planList, runList } from "../../engine/list/ListQuery.js"
import type { OrderingRules } from "./OrderingPolicy.js"
import { OrderCompleted } from "./errors.js"
import { type OrderRow, orders } from "./rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find, refuse } from "../../engine/program/requests.js"
import { decoder } from "../../value/Decoder.js"
import { formatInstant } from "../../value/Instant.js"
import { NewOrder, type NewOrderInput, type Order, OrderPatch, type OrderPatchInput } from "./Order.js"
import { NotFound } from "../../engine/operation/errors.js"
import { acceptIdAlone, read, write } from "../../engine/operation/Operation.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import { showPage } from "../../engine/list/showPage.js"
import {
  acceptIdIf,
  acceptIdWithIf,
  expectRevision,
  type IfRevision
} from "../../engine/operation/Revision.js"
import { stockMoves } from "./stockMoves.js"

/** Which orders a list has. */
export type OrderQuery = Paging<"id" | "shipDate"> & {
  /** Only orders of this pet. */
  readonly petId?: number
  /** Only completed, or only open, orders. */
  readonly complete?: boolean
  /** Only orders that ship at this instant or later (RFC 3339); the list is then in the order of the ship dates. */
  readonly shipDateFrom?: string
  /** Only orders that ship at this instant or earlier. */
  readonly shipDateTo?: string
}

/** What lists of orders are filtered and sorted by. */
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

export const showOrder = ({ id, petId, quantity, shipDateMs, complete }: OrderRow): Order => ({
  id,
  ...(petId === null ? {} : { petId }),
  ...(quantity === null ? {} : { quantity }),
  ...(shipDateMs === null ? {} : { shipDate: formatInstant(shipDateMs) }),
  complete
})

/** An order as it shall be, with what was not said filled in: one unit, once a pet is known. */
type Wanted = Pick<OrderRow, "petId" | "quantity" | "shipDateMs" | "complete">

const wanted = (
  petId: number | null,
  quantity: number | null,
  shipDateMs: number | null,
  complete: boolean
): Wanted => ({
  petId,
  quantity: petId === null ? quantity : (quantity ?? 1),
  shipDateMs,
  complete
})

const wholly = (asked: NewOrder): Wanted =>
  wanted(asked.petId ?? null, asked.quantity ?? null, asked.shipDate ?? null, asked.complete ?? false)

/** Absent stays, null removes. */
const kept = <A>(asked: A | undefined, before: A): A => (asked === undefined ? before : asked)

const patched = (before: OrderRow, asked: OrderPatch): Wanted =>
  wanted(
    kept<number | null>(asked.petId, before.petId),
    kept<number | null>(asked.quantity, before.quantity),
    kept<number | null>(asked.shipDate, before.shipDateMs),
    kept(asked.complete, before.complete)
  )

function* holdNothing() {
  return 0
}

const acceptNewOrder = decoder(NewOrder)
const acceptPatch = decoder(OrderPatch)
const acceptQuery = planList(orderListing)

const findOrder = (id: number): ReadProgram<OrderRow, NotFound> =>
  find(orders, id, () => new NotFound({ kind: "order", id }))

export const orderOperations = (ordering: OrderingRules, records: RecordWrites) => {
  const { giveBackUnits, sellUnits, takeUnits } = stockMoves(ordering, records)

  /** What an order holds once it is open for these units, or has sold once it is complete. */
  const holdUnits = (context: RequestContext, { petId, quantity, complete }: Wanted) =>
    petId === null || quantity === null ? holdNothing() : takeUnits(context, petId, quantity, complete)

  function* release(context: RequestContext, { petId, held }: OrderRow) {
    if (petId !== null && held > 0) yield* giveBackUnits(context, petId, held)
  }

  function* change(
    context: RequestContext,
    id: number,
    condition: IfRevision,
    next: (before: OrderRow) => Wanted
  ) {
    const order = yield* findOrder(id)
    yield* expectRevision(order, condition)
    const asked = next(order)
    const moved = asked.petId !== order.petId || asked.quantity !== order.quantity
    if (order.complete && ordering.completedIsFinal && (moved || !asked.complete)) {
      yield* refuse(new OrderCompleted({ orderId: id }))
    }
    if (moved && !order.complete) {
      yield* release(context, order)
      return yield* records.replace(context, orders, order, {
        ...asked,
        held: yield* holdUnits(context, asked)
      })
    }
    if (asked.complete && !order.complete && order.petId !== null)
      yield* sellUnits(context, order.petId, order.held)
    return yield* records.replace(context, orders, order, asked)
  }

  return {
    /**
     * Places an order. `{}` is valid and holds nothing; with a `petId`, `quantity` units (1 unless given) are taken from
     * its stock, or the order is refused: `UnknownPet`, `InsufficientStock`. `complete: true` sells them at once.
     *
     * @example
     * const order = await store.orders.place({ petId: 1, quantity: 2, shipDate: "2026-07-01T12:00:00Z" })
     */
    place: write({
      accept: (order: NewOrderInput) => Either.map(acceptNewOrder(order), (asked) => [asked] as const),
      *program(context, asked: NewOrder) {
        const order = wholly(asked)
        const held = yield* holdUnits(context, order)
        const { petId, quantity, shipDateMs, complete } = order
        return yield* records.insert(context, orders, { petId, quantity, shipDateMs, complete, held })
      },
      show: showOrder
    }),

    /**
     * One order. Refused: `NotFound`.
     *
     * @example
     * const { complete } = await store.orders.get(1)
     */
    get: read({
      accept: acceptIdAlone,
      program: (_origin, id: number) => findOrder(id),
      show: showOrder
    }),

    /**
     * A page of orders. Refused: `InvalidParameter`.
     *
     * @example
     * const { items } = await store.orders.list({ complete: false, shipDateTo: "2026-07-31T23:59:59Z" })
     */
    list: read({
      accept: (query: OrderQuery = {}) => Either.map(acceptQuery(query), (plan) => [plan] as const),
      program: (_origin, plan) => runList(orderListing, plan),
      show: showPage(showOrder)
    }),

    /**
     * Replaces an order; what is not given is removed. A change of pet or quantity moves the difference. Refused:
     * `NotFound`, `UnknownPet`, `InsufficientStock`, `OrderCompleted`, `PreconditionFailed`.
     *
     * @example
     * await store.orders.replace(1, { petId: 1, quantity: 3 })
     */
    replace: write({
      accept: (id: number, order: NewOrderInput, condition: IfRevision = {}) =>
        acceptIdWithIf(id, acceptNewOrder(order), condition),
      program: (context, id: number, asked: NewOrder, condition: IfRevision) =>
        change(context, id, condition, () => wholly(asked)),
      show: showOrder
    }),

    /**
     * Changes the given fields; null removes `petId`, `quantity` or `shipDate`. Refused as `replace` is.
     *
     * @example
     * await store.orders.update(1, { complete: true })
     */
    update: write({
      accept: (id: number, patch: OrderPatchInput, condition: IfRevision = {}) =>
        acceptIdWithIf(id, acceptPatch(patch), condition),
      program: (context, id: number, asked: OrderPatch, condition: IfRevision) =>
        change(context, id, condition, (before) => patched(before, asked)),
      show: showOrder
    }),

    /**
     * Cancels an open order and gives its units back. Refused: `NotFound`, `OrderCompleted`,
     * `PreconditionFailed`.
     *
     * @example
     * await store.orders.cancel(1)
     */
    cancel: write({
      accept: acceptIdIf,
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
      show: () => undefined
    })
  }
}
