/**
 * The store's own contract as users of @effect/platform would serve it: `HttpApiBuilder`, a
 * middleware for key and limits, handlers over Maps.
 */
import { createServer } from "node:http"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { RecordsApi } from "@petstore/http-adapter"
import { Clock, Effect, Layer, ManagedRuntime } from "effect"
import type { Peer } from "./Peer.js"
import { makeAccounts } from "./shop/accounts.js"
import {
  API_VERSION,
  afterOf,
  deprecated,
  FRESHNESS,
  pageOf,
  policyOf,
  tagOf
} from "./shop/fields.js"
import { openShop } from "./shop/openShop.js"
import { windowOf } from "./shop/windowOf.js"
import { portOf } from "./shop/portOf.js"
import { STATUSES } from "./shop/Shop.js"

type Group = (typeof RecordsApi.groups)[string]

const isNamed =
  <Name extends Group["identifier"]>(name: Name) =>
  (group: Group): group is Extract<Group, { readonly identifier: Name }> =>
    group.identifier === name

const groupOf = <Name extends Group["identifier"]>(name: Name) => {
  const group = Object.values(RecordsApi.groups).find(isNamed(name))
  if (group === undefined) throw new Error(`the contract has no group ${name}`)
  return group
}

/** These groups, whatever else the contract has. */
const PeerApi = HttpApi.make("petstore")
  .add(groupOf("pets"))
  .add(groupOf("categories"))
  .add(groupOf("orders"))
  .add(groupOf("inventory"))

/** The contract has more operations than are measured; these are not called. */
const unmeasured = () => Effect.die("not part of the benchmark")

const failing = <Code extends string, Status extends number>(
  code: Code,
  status: Status,
  message: string
) => Effect.fail({ code, message, status })

const withFields = (fields: Readonly<Record<string, string>>) =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, fields))
  )

const refusing = (status: number, code: string, message: string, headers = {}) =>
  HttpServerResponse.unsafeJson({ code, message, status }, { status, headers })

export const httpapi: Peer = async (storage) => {
  const shop = openShop(storage)
  const accounts = makeAccounts()
  const daily = windowOf(86_400)
  const minutely = windowOf(60)
  let requests = 0

  const gate = HttpApiBuilder.middleware((app) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const account = accounts.find(request.headers["x-api-key"])
      if (account === undefined) return refusing(401, "invalid_key", "a valid API key is needed")
      const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
      const day = daily(account.id, nowSeconds, account.perDay)
      const minute = minutely(account.id, nowSeconds, account.perMinute)
      const fields = {
        "X-API-Version": API_VERSION,
        "X-Request-Id": `httpapi-${requests++}`,
        "Cache-Control": FRESHNESS,
        "X-RateLimit-Limit": String(account.perMinute),
        "X-RateLimit-Remaining": String(minute.remaining),
        "X-RateLimit-Reset": String(minute.reset),
        "RateLimit-Policy": policyOf(account),
        RateLimit: `"minute";r=${minute.remaining};t=${minute.reset - nowSeconds}`
      }
      if (!day.allowed || !minute.allowed)
        return refusing(429, "rate_limited", "too many requests", fields)
      return HttpServerResponse.setHeaders(yield* app, fields)
    })
  )

  const pets = HttpApiBuilder.group(PeerApi, "pets", (handlers) =>
    handlers
      .handle("getPet", ({ path: { petId } }) =>
        Effect.gen(function* () {
          const pet = shop.pet(petId)
          if (pet === undefined) return yield* failing("not_found", 404, `there is no pet ${petId}`)
          yield* withFields({ ETag: tagOf(pet), ...deprecated(petId) })
          return pet
        })
      )
      .handle("listPets", ({ urlParams: { status: statuses, limit = 50, cursor } }) =>
        Effect.gen(function* () {
          const [status = "available"] =
            typeof statuses === "string" ? [statuses] : (statuses ?? [])
          const after = afterOf(cursor)
          if (!STATUSES.includes(status))
            return yield* failing("invalid_parameter", 400, "status: expected a status")
          if (limit < 1 || limit > 100)
            return yield* failing("invalid_parameter", 400, "limit: expected 1 to 100")
          if (after === undefined)
            return yield* failing("invalid_parameter", 400, "cursor: expected a cursor")
          const page = pageOf(shop.pets(status, after, limit + 1), status, limit)
          yield* withFields(page.fields)
          return page.pets
        })
      )
      .handle("createPet", ({ payload }) =>
        Effect.gen(function* () {
          const pet = shop.addPet(payload)
          if (pet === undefined)
            return yield* failing("unknown_category", 422, "there is no such category")
          yield* withFields({ Location: `/pets/${pet.id}`, ETag: tagOf(pet) })
          return pet
        })
      )
      .handle("replacePet", unmeasured)
      .handle("updatePet", unmeasured)
      .handle("deletePet", unmeasured)
  )

  const orders = HttpApiBuilder.group(PeerApi, "orders", (handlers) =>
    handlers
      .handle("placeOrder", ({ payload: { petId, quantity, complete, shipDate } }) =>
        Effect.gen(function* () {
          if (petId === undefined)
            return yield* failing("unknown_pet", 422, "petId: expected a pet")
          const order = shop.order({
            petId,
            ...(quantity === undefined ? {} : { quantity }),
            ...(complete === undefined ? {} : { complete })
          })
          if (order === "unknown_pet") return yield* failing(order, 422, "there is no such pet")
          if (order === "insufficient_stock")
            return yield* failing(order, 409, "fewer are for sale")
          yield* withFields({ Location: `/store/orders/${order.id}`, ETag: tagOf(order) })
          const { id, complete: completed } = order
          return {
            id,
            petId,
            quantity: order.quantity,
            ...(shipDate === undefined ? {} : { shipDate }),
            complete: completed
          }
        })
      )
      .handle("listOrders", unmeasured)
      .handle("getOrder", unmeasured)
      .handle("replaceOrder", unmeasured)
      .handle("updateOrder", unmeasured)
      .handle("cancelOrder", unmeasured)
  )

  const categories = HttpApiBuilder.group(PeerApi, "categories", (handlers) =>
    handlers
      .handle("listCategories", unmeasured)
      .handle("createCategory", unmeasured)
      .handle("getCategory", unmeasured)
      .handle("replaceCategory", unmeasured)
      .handle("updateCategory", unmeasured)
      .handle("deleteCategory", unmeasured)
  )

  const inventory = HttpApiBuilder.group(PeerApi, "inventory", (handlers) =>
    handlers
      .handle("listInventory", unmeasured)
      .handle("getInventory", unmeasured)
      .handle("setInventory", unmeasured)
  )

  const api = HttpApiBuilder.api(PeerApi).pipe(Layer.provide([pets, orders, categories, inventory]))
  const server = createServer()
  const serving = HttpApiBuilder.serve().pipe(
    Layer.provide(gate),
    Layer.provide(api),
    Layer.provide(NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0 })),
    // No spans, as the peers make none.
    HttpMiddleware.withTracerDisabledWhen(() => true)
  )
  const runtime = ManagedRuntime.make(serving)
  await runtime.runPromise(Effect.void)
  return {
    port: portOf(server),
    key: accounts.key,
    close: async () => {
      server.closeAllConnections()
      await runtime.dispose()
      shop.close()
    }
  }
}
