/**
 * The same service as its users would write it on Hono: its validator with Ajv, and a middleware
 * that counts both windows. It runs on every runtime.
 */
import { type Context, Hono } from "hono"
import { createMiddleware } from "hono/factory"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { validator } from "hono/validator"
import { type Account, makeAccounts } from "./shop/accounts.js"
import {
  API_VERSION,
  afterOf,
  deprecated,
  FRESHNESS,
  pageOf,
  policyOf,
  tagOf
} from "./shop/fields.js"
import type { Shop } from "./shop/Shop.js"
import { isNewOrder, isNewPet, isPetPath, isPetQuery } from "./shop/validators.js"

type Environment = { Variables: { account: Account } }

let requests = 0

const problem = (context: Context, status: ContentfulStatusCode, code: string, message: string) =>
  context.json({ code, message, status }, status)

/** Counts by account in a fixed window; the middleware for both runs them one after the other. */
const windowOf = (seconds: number) => {
  const used = new Map<string, { window: number; count: number }>()
  return (account: string, nowSeconds: number, limit: number) => {
    const window = Math.floor(nowSeconds / seconds)
    let entry = used.get(account)
    if (entry === undefined || entry.window !== window)
      used.set(account, (entry = { window, count: 0 }))
    if (entry.count < limit) entry.count++
    else return { allowed: false, remaining: 0, reset: (window + 1) * seconds }
    return { allowed: true, remaining: limit - entry.count, reset: (window + 1) * seconds }
  }
}

export const honoApp = (shop: Shop) => {
  const accounts = makeAccounts()
  const app = new Hono<Environment>()

  app.use(
    createMiddleware<Environment>(async (context, next) => {
      const account = accounts.find(context.req.header("x-api-key"))
      if (account === undefined)
        return problem(context, 401, "invalid_key", "a valid API key is needed")
      context.set("account", account)
      context.header("X-API-Version", API_VERSION)
      context.header("X-Request-Id", `hono-${requests++}`)
      context.header("Cache-Control", FRESHNESS)
      return next()
    })
  )

  const daily = windowOf(86_400)
  const minutely = windowOf(60)
  app.use(
    createMiddleware<Environment>(async (context, next) => {
      const { account } = context.var
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const day = daily(account.id, nowSeconds, account.perDay)
      const minute = minutely(account.id, nowSeconds, account.perMinute)
      context.header("X-RateLimit-Limit", String(account.perMinute))
      context.header("X-RateLimit-Remaining", String(minute.remaining))
      context.header("X-RateLimit-Reset", String(minute.reset))
      context.header("RateLimit-Policy", policyOf(account))
      context.header("RateLimit", `"minute";r=${minute.remaining};t=${minute.reset - nowSeconds}`)
      if (!day.allowed || !minute.allowed)
        return problem(context, 429, "rate_limited", "too many requests")
      return next()
    })
  )

  app.get(
    "/pets/:petId",
    validator("param", (path: unknown, context) =>
      isPetPath(path) ? path : problem(context, 400, "invalid_parameter", "petId: expected an id")
    ),
    (context) => {
      const { petId } = context.req.valid("param")
      const pet = shop.pet(petId)
      if (pet === undefined) return problem(context, 404, "not_found", `there is no pet ${petId}`)
      return context.json(pet, 200, { ETag: tagOf(pet), ...deprecated(petId) })
    }
  )

  app.get(
    "/pets",
    validator("query", (query: unknown, context) =>
      isPetQuery(query) ? query : problem(context, 400, "invalid_parameter", "expected a status")
    ),
    (context) => {
      const { status, limit, cursor } = context.req.valid("query")
      const after = afterOf(cursor)
      if (after === undefined)
        return problem(context, 400, "invalid_parameter", "cursor: expected a cursor")
      const { pets, fields } = pageOf(shop.pets(status, after, limit + 1), status, limit)
      return context.json(pets, 200, fields)
    }
  )

  app.post(
    "/pets",
    validator("json", (body: unknown, context) =>
      isNewPet(body) ? body : problem(context, 422, "validation_failed", "expected a pet")
    ),
    (context) => {
      const pet = shop.addPet(context.req.valid("json"))
      if (pet === undefined)
        return problem(context, 422, "unknown_category", "there is no such category")
      return context.json(pet, 201, { Location: `/pets/${pet.id}`, ETag: tagOf(pet) })
    }
  )

  app.post(
    "/store/orders",
    validator("json", (body: unknown, context) =>
      isNewOrder(body) ? body : problem(context, 422, "validation_failed", "expected an order")
    ),
    (context) => {
      const order = shop.order(context.req.valid("json"))
      if (order === "unknown_pet") return problem(context, 422, order, "there is no such pet")
      if (order === "insufficient_stock") return problem(context, 409, order, "fewer are for sale")
      return context.json(order, 201, { Location: `/store/orders/${order.id}`, ETag: tagOf(order) })
    }
  )

  return { app, key: accounts.key }
}
