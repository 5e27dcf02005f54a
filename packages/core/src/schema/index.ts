/**
 * Records and their fields as effect/Schema values, for programs that describe, check, encode or
 * generate them. A separate entry point, since effect/Schema takes longer to load than the rest of
 * the engine.
 */
import * as plans from "../access/account/Plan.js"
import * as categories from "../shop/category/Category.js"
import * as ids from "../value/Id.js"
import * as instants from "../value/Instant.js"
import * as inventory from "../shop/inventory/InventoryItem.js"
import * as orders from "../shop/order/Order.js"
import * as pets from "../shop/pet/Pet.js"
import * as statuses from "../shop/pet/PetStatus.js"
import * as quantities from "../value/Quantity.js"
import * as texts from "../value/Text.js"
import { fieldSchema, recordSchema } from "./schemaOf.js"

export {
  decoderOf,
  type MemberSchema,
  fieldSchema,
  recordSchema,
  type RecordSchema
} from "./schemaOf.js"

// Parts
/** Up to 2,000 code points; may be empty. */
export const Description = fieldSchema(texts.Description)
/** A whole number from 1 to 2^53 − 1. */
export const Id = fieldSchema(ids.Id)
/** RFC 3339 with an offset; in milliseconds since 1970 once decoded. */
export const Instant = fieldSchema(instants.Instant)
/** 1 to 200 code points, not only white space. */
export const Name = fieldSchema(texts.Name)
/** Units in an order: 1 to 2^31 − 1. */
export const OrderQuantity = fieldSchema(quantities.OrderQuantity)
export const PetStatus = fieldSchema(statuses.PetStatus)
export type PetStatus = statuses.PetStatus
export const Plan = fieldSchema(plans.Plan)
export type Plan = plans.Plan
/**
 * A reference to another record as callers write it: any positive int64, also above the greatest
 * possible id.
 */
export const Reference = fieldSchema(ids.Reference)
/** Units for sale: 0 to 2^31 − 1. */
export const StockQuantity = fieldSchema(quantities.StockQuantity)

// Pets
export const NewPet = recordSchema(pets.NewPet)
export type NewPet = pets.NewPet
export const Pet = recordSchema(pets.Pet)
export type Pet = pets.Pet
export const PetPatch = recordSchema(pets.PetPatch)
export type PetPatch = pets.PetPatch

// Categories
export const Category = recordSchema(categories.Category)
export type Category = categories.Category
export const CategoryPatch = recordSchema(categories.CategoryPatch)
export type CategoryPatch = categories.CategoryPatch
export const NewCategory = recordSchema(categories.NewCategory)
export type NewCategory = categories.NewCategory

// Orders
export const NewOrder = recordSchema(orders.NewOrder)
export type NewOrder = orders.NewOrder
export const Order = recordSchema(orders.Order)
export type Order = orders.Order
export const OrderPatch = recordSchema(orders.OrderPatch)
export type OrderPatch = orders.OrderPatch

// Inventory entries
export const InventoryItem = recordSchema(inventory.InventoryItem)
export type InventoryItem = inventory.InventoryItem
export const InventoryUpdate = recordSchema(inventory.InventoryUpdate)
export type InventoryUpdate = inventory.InventoryUpdate
