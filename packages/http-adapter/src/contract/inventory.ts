/** Inventory entries over HTTP. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { inventoryListing, type InventoryQuery } from "@petstore/core"
import { InventoryItem, InventoryUpdate } from "@petstore/core/schema"
import * as Schema from "effect/Schema"
import { about, aboutGroup } from "./about.js"
import { listOf } from "./brief.js"
import { failingWith, OF_BODIES } from "./ErrorBody.js"
import { listQuery } from "./ListQuery.js"
import { PathId } from "./Parameter.js"
import { RecordTexts } from "./RecordTexts.js"

const OneEntry = Schema.Struct({ petId: PathId.annotations({ description: "The pet's id." }) })

const STOCK = "How many are for sale."

/** What the records of the group say in OpenAPI. */
const TEXTS = {
  InventoryUpdate: {
    description: "A new count.",
    example: { quantity: 12 },
    fields: { quantity: STOCK }
  },
  InventoryItem: {
    description: "The stock of one pet.",
    example: { petId: 1, quantity: 12, status: "available" },
    fields: { petId: "The animal this entry is about.", quantity: STOCK }
  }
} satisfies RecordTexts["Type"]

export const inventoryGroup = HttpApiGroup.make("inventory")
  .annotateContext(aboutGroup("Inventory", "How many of a pet are for sale."))
  .annotate(RecordTexts, TEXTS)
  .add(
    HttpApiEndpoint.get("listInventory", "/store/inventory")
      .setUrlParams(
        listQuery<InventoryQuery>(inventoryListing, {
          status: "Only entries with one of these statuses."
        })
      )
      .addSuccess(listOf(InventoryItem))
      .pipe(failingWith())
      .annotateContext(
        about("List inventory entries", "A page of entries, narrowed by the filters.")
      )
  )
  .add(
    HttpApiEndpoint.get("getInventory", "/store/inventory/:petId")
      .setPath(OneEntry)
      .addSuccess(InventoryItem)
      .pipe(failingWith("not_found"))
      .annotateContext(
        about(
          "Get an inventory entry",
          "How many of a pet are for sale. A pet without an entry is one animal."
        )
      )
  )
  .add(
    HttpApiEndpoint.put("setInventory", "/store/inventory/:petId")
      .setPath(OneEntry)
      .setPayload(InventoryUpdate)
      .addSuccess(InventoryItem)
      .addSuccess(InventoryItem, { status: 201 })
      .pipe(failingWith(...OF_BODIES, "not_found", "stock_limit_exceeded", "precondition_failed"))
      .annotateContext(
        about(
          "Set an inventory entry",
          "Sets the number of a pet for sale, and creates the entry if there is none. From then " +
            "on the pet's status follows its stock."
        )
      )
  )
