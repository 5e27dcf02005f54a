/** The declaration of the HTTP service. */
import * as HttpApi from "@effect/platform/HttpApi"
import { categoriesGroup } from "./categories.js"
import { eventsGroup } from "./events.js"
import { inventoryGroup } from "./inventory.js"
import { ordersGroup } from "./orders.js"
import { petsGroup } from "./pets.js"

/** SPEC.md §9. */
export const API_VERSION = "1.0.0"

/** The operations on records: all but the event stream. */
export const RecordsApi = HttpApi.make("petstore")
  .add(petsGroup)
  .add(categoriesGroup)
  .add(ordersGroup)
  .add(inventoryGroup)

/**
 * The contract: every operation with its parameters, bodies, answers and errors. Routing, decoding,
 * the description and the clients derive from it.
 */
export const PetStoreApi = RecordsApi.add(eventsGroup)
