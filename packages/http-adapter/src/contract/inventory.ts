/** Inventory entries over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { InventoryItem, type InventoryQuery, InventoryUpdate, inventoryListing } from "@petstore/core"
import { Schema } from "effect"
import { answering, OF_BODIES } from "./ErrorBody.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"

const OneEntry = Schema.Struct({ petId: PathId })

export const inventoryGroup = HttpApiGroup.make("inventory")
  .add(
    HttpApiEndpoint.get("listInventory", "/store/inventory")
      .setUrlParams(listQuery<InventoryQuery>(inventoryListing))
      .addSuccess(Schema.Array(InventoryItem))
      .pipe(answering())
  )
  .add(
    HttpApiEndpoint.get("getInventory", "/store/inventory/:petId")
      .setPath(OneEntry)
      .addSuccess(InventoryItem)
      .pipe(answering("not_found"))
  )
  .add(
    HttpApiEndpoint.put("setInventory", "/store/inventory/:petId")
      .setPath(OneEntry)
      .setPayload(InventoryUpdate)
      .addSuccess(InventoryItem)
      .addSuccess(InventoryItem, { status: 201 })
      .pipe(answering(...OF_BODIES, "not_found", "precondition_failed"))
  )
