/** The one declaration of the HTTP service. Routing, decoding, the description and the clients are derived from it. */
import * as HttpApi from "@effect/platform/HttpApi"
import { categoriesGroup } from "./categories.js"
import { eventsGroup } from "./events.js"
import { inventoryGroup } from "./inventory.js"
import { ordersGroup } from "./orders.js"
import { petsGroup } from "./pets.js"

/** SPEC.md §9. */
export const API_VERSION = "1.0.0"

/** The records: every operation that is answered in full. */
export const RecordsApi = HttpApi.make("petstore")
  .add(petsGroup)
  .add(categoriesGroup)
  .add(ordersGroup)
  .add(inventoryGroup)

/**
 * The contract: every operation with its parameters, bodies, answers and refusals. Routing, the description and the clients are derived
 * from it.
 */
export const PetStoreApi = RecordsApi.add(eventsGroup)
