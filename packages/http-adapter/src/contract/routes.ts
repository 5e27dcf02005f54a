/**
 * The operation of the contract that each method of the shop is served as, and the members of its
 * records. A table, so that a client loads nothing else of the contract; a test compares both.
 */
import type { PromiseApi } from "@petstore/core"
import type { RecordGroups } from "@petstore/core/adapter"
import type { OperationId } from "./OperationId.js"

/** The groups that are served: those of all record types. */
export type Groups = PromiseApi<RecordGroups>

export type Route<Id extends OperationId = OperationId> = {
  readonly operation: Id
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** `{id}` stands for the first argument. */
  readonly path: string
  /** The statuses of a success. */
  readonly statuses: ReadonlyArray<number>
}

const route = <const Id extends OperationId>(
  operation: Id,
  method: Route["method"],
  path: string,
  ...statuses: ReadonlyArray<number>
): Route<Id> => ({ operation, method, path, statuses })

/** Exactly one route for each method. */
type Routes = {
  readonly [Group in keyof Groups]: { readonly [Verb in keyof Groups[Group]]: Route }
}

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

/** The type of a member in JSON; `?` where it may be absent. */
export type MemberType = `${"number" | "text" | "boolean"}${"" | "?"}`

type ValueType<Value> = [Value] extends [number]
  ? "number"
  : [Value] extends [string]
    ? "text"
    : [Value] extends [boolean]
      ? "boolean"
      : never

type Mark<R, Name extends keyof R> = {} extends Pick<R, Name> ? "?" : ""

type MembersOf<R> = {
  readonly [Name in keyof R]-?: `${ValueType<Exclude<R[Name], undefined>>}${Mark<R, Name>}`
}

type RecordIn<Group> = Group extends { readonly get: (id: number) => Promise<infer R> } ? R : never

/** The members of each group's records. The compiler compares them with the records of core. */
export const RECORD_MEMBERS: {
  readonly [Group in keyof Groups]: MembersOf<RecordIn<Groups[Group]>>
} = {
  pets: { id: "number", name: "text", categoryId: "number", status: "text" },
  categories: { id: "number", name: "text", description: "text?" },
  orders: {
    id: "number",
    petId: "number?",
    quantity: "number?",
    shipDate: "text?",
    complete: "boolean"
  },
  inventory: { petId: "number", quantity: "number", status: "text" }
}
