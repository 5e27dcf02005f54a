/** The operations on inventory entries. */
import type { RecordWrites } from "../RecordWrites.js"
import { byEnumeration } from "../../engine/list/Filter.js"
import type { Listing, Paging } from "../../engine/list/ListQuery.js"
import { StockLimitExceeded } from "./errors.js"
import { statusOf } from "./Stock.js"
import { type InventoryRow, inventory, presentItem } from "./rows.js"
import { pets } from "../pet/rows.js"
import type { ReadProgram } from "../../engine/program/Program.js"
import { find, get, refuse } from "../../engine/program/requests.js"
import { decoder } from "../../value/Decoder.js"
import { type InventoryItem, InventoryUpdate } from "./InventoryItem.js"
import { PetStatus } from "../pet/PetStatus.js"
import { MAX_QUANTITY } from "../../value/Quantity.js"
import { NotFound, PreconditionFailed } from "../../engine/operation/errors.js"
import { validateIdAlone, read, write } from "../../engine/operation/Operation.js"
import type { RequestContext } from "../../engine/operation/RequestContext.js"
import { readList } from "../../engine/operation/readList.js"
import {
  validateIdWithIf,
  expectRevision,
  type IfRevision
} from "../../engine/operation/Revision.js"

/** The filters of a list of inventory entries. */
export type InventoryQuery = Paging<"petId" | "quantity"> & {
  /** Only these statuses. */
  readonly status?: PetStatus | ReadonlyArray<PetStatus>
}

/** What `GET /store/inventory` and `store.inventory.list` can be filtered and sorted by. */
export const inventoryListing: Listing<InventoryRow> = {
  collection: inventory,
  filters: { status: byEnumeration("status", PetStatus) },
  sorts: { petId: "id", quantity: "quantity" }
}

/** An entry after it was set, and whether it is new. */
export type SetItem = { readonly item: InventoryRow; readonly created: boolean }

const validateUpdate = decoder(InventoryUpdate)

/** Whether the pet has an entry. */
export function* isStocked(petId: number): ReadProgram<boolean> {
  return (yield* get(inventory, petId)) !== undefined
}

export const inventoryOperations = (records: RecordWrites) => {
  /**
   * Sets the number of units for sale. Units on order and sold units do not change. The pet gets
   * the status of its stock.
   */
  function* setStock(
    context: RequestContext,
    petId: number,
    quantity: number,
    condition: IfRevision
  ) {
    const pet = yield* find(pets, petId, () => new NotFound({ kind: "pet", id: petId }))
    const entry = yield* get(inventory, petId)
    if (
      entry === undefined &&
      condition.ifRevision !== undefined &&
      condition.ifRevision !== "none"
    )
      yield* refuse(new PreconditionFailed({ current: 0 }))
    if (entry !== undefined) yield* expectRevision(entry, condition)
    const { onOrder, sold } = entry ?? pet
    const most = MAX_QUANTITY - onOrder
    if (quantity > most)
      yield* refuse(new StockLimitExceeded({ petId, wanted: quantity, most, onOrder }))
    const status = statusOf({ forSale: quantity, onOrder, sold })
    const item =
      entry === undefined
        ? yield* records.insert(context, inventory, { id: petId, quantity, onOrder, sold, status })
        : yield* records.replace(context, inventory, entry, { quantity, status })
    if (pet.status !== status) yield* records.replace(context, pets, pet, { status })
    return { item, created: entry === undefined }
  }

  return {
    /**
     * The entry of one pet. Refused: `NotFound`.
     *
     * @example
     * const { quantity, status } = await store.inventory.get(1)
     */
    get: read({
      validate: (petId: number) => validateIdAlone(petId),
      program: (_context, petId: number) =>
        find(
          inventory,
          petId,
          () => new NotFound({ kind: "inventory entry", idOf: "pet", id: petId })
        ),
      present: presentItem
    }),

    /**
     * A page of entries. Refused: `InvalidParameter`.
     *
     * @example
     * const { items } = await store.inventory.list({ sort: "-quantity", status: "available" })
     */
    list: readList<InventoryQuery, InventoryRow, InventoryItem>(inventoryListing, presentItem),

    /**
     * Sets the number of units of a pet for sale, and creates its entry if there is none. From then
     * on the status of the pet follows its stock. Refused: `NotFound` for the pet,
     * `PreconditionFailed`, `StockLimitExceeded` if the units on order could not return to the
     * stock.
     *
     * @example
     * await store.inventory.set(1, { quantity: 12 })
     */
    set: write({
      validate: (petId: number, update: InventoryUpdate, condition: IfRevision = {}) =>
        validateIdWithIf(petId, validateUpdate(update), condition),
      program: (context, petId: number, input: InventoryUpdate, condition: IfRevision) =>
        setStock(context, petId, input.quantity, condition),
      present: ({ item }: SetItem) => presentItem(item)
    })
  }
}
