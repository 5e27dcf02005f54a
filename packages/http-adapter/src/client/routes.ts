/**
 * Which operation of the contract each verb calls, and where that is. A table, so that a client needs nothing of the
 * contract's machinery; a test holds it to the contract.
 */
import type { PromiseFace, Shop } from "@petstore/core"
import type { OperationId } from "../compile/Handler.js"

/** The verbs that are served. */
export type Groups = Pick<PromiseFace<Shop>, "pets" | "categories" | "orders" | "inventory">

export type Route = {
  readonly operation: OperationId
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `{id}` stands for the first argument. */
  readonly path: string
}

const route = (operation: OperationId, method: Route["method"], path: string): Route => ({
  operation,
  method,
  path
})

/** A route for each verb, and no other. */
type Routes = { readonly [Group in keyof Groups]: { readonly [Verb in keyof Groups[Group]]: Route } }

/** The stream of changes, which is followed rather than called. */
export const EVENTS = route("streamEvents", "GET", "/events")

export const ROUTES = {
  pets: {
    list: route("listPets", "GET", "/pets"),
    create: route("createPet", "POST", "/pets"),
    get: route("getPet", "GET", "/pets/{id}"),
    replace: route("replacePet", "PUT", "/pets/{id}"),
    update: route("updatePet", "PATCH", "/pets/{id}"),
    remove: route("deletePet", "DELETE", "/pets/{id}")
  },
  categories: {
    list: route("listCategories", "GET", "/categories"),
    create: route("createCategory", "POST", "/categories"),
    get: route("getCategory", "GET", "/categories/{id}"),
    replace: route("replaceCategory", "PUT", "/categories/{id}"),
    update: route("updateCategory", "PATCH", "/categories/{id}"),
    remove: route("deleteCategory", "DELETE", "/categories/{id}")
  },
  orders: {
    list: route("listOrders", "GET", "/store/orders"),
    place: route("placeOrder", "POST", "/store/orders"),
    get: route("getOrder", "GET", "/store/orders/{id}"),
    replace: route("replaceOrder", "PUT", "/store/orders/{id}"),
    update: route("updateOrder", "PATCH", "/store/orders/{id}"),
    cancel: route("cancelOrder", "DELETE", "/store/orders/{id}")
  },
  inventory: {
    list: route("listInventory", "GET", "/store/inventory"),
    get: route("getInventory", "GET", "/store/inventory/{id}"),
    set: route("setInventory", "PUT", "/store/inventory/{id}")
  }
} as const satisfies Routes
