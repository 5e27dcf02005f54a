/**
 * The operation of the contract that each method calls. A table, so that a client loads nothing of the
 * contract; a test compares both.
 */
import type { PromiseApi, Shop } from "@petstore/core"
import type { OperationId } from "../contract/OperationId.js"

/** The groups that are served. */
export type Groups = Pick<PromiseApi<Shop>, "pets" | "categories" | "orders" | "inventory">

export type Route = {
  readonly operation: OperationId
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `{id}` stands for the first argument. */
  readonly path: string
  /** The statuses of a success. */
  readonly statuses: ReadonlyArray<number>
}

const route = (
  operation: OperationId,
  method: Route["method"],
  path: string,
  ...statuses: ReadonlyArray<number>
): Route => ({ operation, method, path, statuses })

/** Exactly one route for each method. */
type Routes = { readonly [Group in keyof Groups]: { readonly [Verb in keyof Groups[Group]]: Route } }

/** The stream of changes. */
export const EVENTS = route("streamEvents", "GET", "/events", 200)

export const ROUTES = {
  pets: {
    list: route("listPets", "GET", "/pets", 200),
    create: route("createPet", "POST", "/pets", 201),
    get: route("getPet", "GET", "/pets/{id}", 200),
    replace: route("replacePet", "PUT", "/pets/{id}", 200),
    update: route("updatePet", "PATCH", "/pets/{id}", 200),
    remove: route("deletePet", "DELETE", "/pets/{id}", 204)
  },
  categories: {
    list: route("listCategories", "GET", "/categories", 200),
    create: route("createCategory", "POST", "/categories", 201),
    get: route("getCategory", "GET", "/categories/{id}", 200),
    replace: route("replaceCategory", "PUT", "/categories/{id}", 200),
    update: route("updateCategory", "PATCH", "/categories/{id}", 200),
    remove: route("deleteCategory", "DELETE", "/categories/{id}", 204)
  },
  orders: {
    list: route("listOrders", "GET", "/store/orders", 200),
    place: route("placeOrder", "POST", "/store/orders", 201),
    get: route("getOrder", "GET", "/store/orders/{id}", 200),
    replace: route("replaceOrder", "PUT", "/store/orders/{id}", 200),
    update: route("updateOrder", "PATCH", "/store/orders/{id}", 200),
    cancel: route("cancelOrder", "DELETE", "/store/orders/{id}", 204)
  },
  inventory: {
    list: route("listInventory", "GET", "/store/inventory", 200),
    get: route("getInventory", "GET", "/store/inventory/{id}", 200),
    set: route("setInventory", "PUT", "/store/inventory/{id}", 200, 201)
  }
} as const satisfies Routes
