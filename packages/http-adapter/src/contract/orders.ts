/** Orders over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { NewOrder, Order, OrderPatch, type OrderQuery, orderListing } from "@petstore/core"
import { Schema } from "effect"
import { answering, OF_BODIES } from "./ErrorBody.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"
import { Stability } from "./Stability.js"

const OneOrder = Schema.Struct({ orderId: PathId })

const PLACING = [...OF_BODIES, "unknown_pet", "insufficient_stock"] as const

const CHANGING = [...PLACING, "not_found", "order_completed", "precondition_failed"] as const

export const ordersGroup = HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.get("listOrders", "/store/orders")
      .setUrlParams(listQuery<OrderQuery>(orderListing))
      .addSuccess(Schema.Array(Order))
      .pipe(answering())
  )
  .add(
    HttpApiEndpoint.post("placeOrder", "/store/orders")
      .setPayload(NewOrder)
      .addSuccess(Order, { status: 201 })
      .pipe(answering(...PLACING))
  )
  .add(
    HttpApiEndpoint.get("getOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .addSuccess(Order)
      .pipe(answering("not_found"))
  )
  .add(
    HttpApiEndpoint.put("replaceOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .setPayload(NewOrder)
      .addSuccess(Order)
      .pipe(answering(...CHANGING))
  )
  .add(
    HttpApiEndpoint.patch("updateOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .setPayload(OrderPatch)
      .addSuccess(Order)
      .pipe(answering(...CHANGING))
      .annotate(Stability, "beta")
  )
  .add(
    HttpApiEndpoint.del("cancelOrder", "/store/orders/:orderId")
      .setPath(OneOrder)
      .addSuccess(HttpApiSchema.NoContent)
      .pipe(answering("not_found", "order_completed", "precondition_failed", "storage_full"))
  )
