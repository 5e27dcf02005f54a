/**
 * Checks that an answer is a record of its operation. Accepts further members and any string as a
 * status, since a later version may add some.
 */
import type { Category, InventoryItem, Order, Pet } from "@petstore/core"
import type { ShopEvent } from "../contract/ShopEvent.js"
import type { Groups } from "./routes.js"

type Is = (value: unknown) => boolean

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isText: Is = (value) => typeof value === "string"
const isNumber: Is = Number.isSafeInteger
const isBoolean: Is = (value) => typeof value === "boolean"
const absentOr =
  (is: Is): Is =>
  (value) =>
    value === undefined || is(value)

/** A check for every member of a record. */
type Shape<R> = { readonly [Name in keyof Required<R>]: Is }

const pet: Shape<Pet> = { id: isNumber, name: isText, categoryId: isNumber, status: isText }
const category: Shape<Category> = { id: isNumber, name: isText, description: absentOr(isText) }
const order: Shape<Order> = {
  id: isNumber,
  petId: absentOr(isNumber),
  quantity: absentOr(isNumber),
  shipDate: absentOr(isText),
  complete: isBoolean
}
const inventoryItem: Shape<InventoryItem> = { petId: isNumber, quantity: isNumber, status: isText }

const looksLike = (shape: Readonly<Record<string, Is>>): Is => {
  const members = Object.entries(shape)
  return (value) => isObject(value) && members.every(([name, is]) => is(value[name]))
}

/** Whether a value is an event, of any type: a later version may add some. */
export const isEvent = (value: unknown): value is ShopEvent =>
  isObject(value) && isNumber(value["sequence"]) && isText(value["type"])

/** Whether a value is a record of the group. */
export const IS_RECORD: { readonly [Group in keyof Groups]: Is } = {
  pets: looksLike(pet),
  categories: looksLike(category),
  orders: looksLike(order),
  inventory: looksLike(inventoryItem)
}
