/** Orders over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { orderListing, type OrderQuery } from "@petstore/core"
import { NewOrder, Order, OrderPatch } from "@petstore/core/schema"
import * as Schema from "effect/Schema"
import { about, aboutGroup } from "./about.js"
import { listOf } from "./brief.js"
import { failingWith, OF_BODIES, OF_REMOVALS } from "./ErrorBody.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"
import { ASSIGNED_ID, RecordTexts } from "./RecordTexts.js"
import { Stability } from "./Stability.js"

const OneOrder = Schema.Struct({ orderId: PathId.annotations({ description: "The order's id." }) })

const PLACING = [...OF_BODIES, "unknown_pet", "insufficient_stock"] as const

const CHANGING = [...PLACING, "not_found", "order_completed", "precondition_failed"] as const

const ORDER = {
  petId: "The animal in the order.",
  quantity: "The units ordered: 1 by default if there is a pet.",
  shipDate: "The expected or actual ship date. Any offset is accepted; it is returned in UTC.",
  complete: "Whether the order has been fulfilled, which makes it a sale."
}

/** What the records of the group say in OpenAPI. */
const TEXTS = {
  NewOrder: {
    description: "The input for placing or replacing an order. All fields are optional.",
    example: { petId: 1, quantity: 1, shipDate: "2026-12-24T09:00:00+01:00" },
    fields: ORDER
  },
  OrderPatch: {
    description: "The fields of an order to change; null removes a field.",
    example: { complete: true },
    fields: ORDER
  },
  Order: {
    description: "An order.",
    example: { id: 1, petId: 1, quantity: 1, shipDate: "2026-12-24T08:00:00Z", complete: false },
    fields: { id: ASSIGNED_ID, ...ORDER }
  }
} satisfies RecordTexts["Type"]

export const ordersGroup = HttpApiGroup.make("orders")
  .annotateContext(aboutGroup("Orders", "Orders of pets, which take stock and give it back."))
  .annotate(RecordTexts, TEXTS)
  .add(
    HttpApiEndpoint.get("listOrders", "/store/orders")
      .setUrlParams(
        listQuery<OrderQuery>(orderListing, {
          petId: "Only orders of this pet.",
          complete: "Only completed, or only open, orders.",
          shipDateFrom: "Only orders that ship then or later.",
          shipDateTo: "Only orders that ship then or earlier."
        })
      )
      .addSuccess(listOf(Order))
      .pipe(failingWith())
      .annotateContext(about("List orders", "A page of orders, narrowed by the filters."))
  )
  .add(
    HttpApiEndpoint.post("placeOrder", "/store/orders")
      .setPayload(NewOrder)
      .addSuccess(Order, { status: 201 })
      .pipe(failingWith(...PLACING))
      .annotateContext(
        about(
          "Place an order",
          "`{}` is an order that reserves nothing. With a `petId`, the order takes `quantity` " +
            "units (1 by default) from the stock, or is refused. `complete: true` makes it a " +
            "sale."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("getOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .addSuccess(Order)
      .pipe(failingWith("not_found"))
      .annotateContext(about("Get an order", "One order by its id."))
  )
  .add(
    HttpApiEndpoint.put("replaceOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .setPayload(NewOrder)
      .addSuccess(Order)
      .pipe(failingWith(...CHANGING))
      .annotateContext(
        about(
          "Replace an order",
          "Absent fields are removed. Stock changes by the difference. The body may contain " +
            "the order's own `id`."
        )
      )
  )
  .add(
    HttpApiEndpoint.patch("updateOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .setPayload(OrderPatch)
      .addSuccess(Order)
      .pipe(failingWith(...CHANGING))
      .annotate(Stability, "beta")
      .annotateContext(
        about(
          "Change an order",
          "A merge patch (RFC 7396): null removes `petId`, `quantity` or `shipDate`. Stock " +
            "changes by the difference. The body may contain the order's own `id`."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("cancelOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .addSuccess(HttpApiSchema.NoContent)
      .pipe(failingWith("not_found", "order_completed", ...OF_REMOVALS))
      .annotateContext(
        about("Cancel an order", "Returns the units of an open order. A completed order is final.")
      )
  )
