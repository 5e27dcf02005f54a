/**
 * The same service as its users would write it on Express 5, with express-rate-limit for the minute
 * and the day, and Ajv.
 */
import makeApp, { type ErrorRequestHandler, type Request, type Response } from "express"
import { rateLimit } from "express-rate-limit"
import type { Peer } from "./Peer.js"
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
import { openShop } from "./shop/openShop.js"
import { portOf } from "./shop/portOf.js"
import { isNewOrder, isNewPet, isPetPath, isPetQuery } from "./shop/validators.js"

declare global {
  namespace Express {
    interface Locals {
      account: Account
    }
  }
}

let requests = 0

const problem = (response: Response, status: number, code: string, message: string) =>
  response.status(status).json({ code, message, status })

const keyGenerator = (_: Request, response: Response): string => response.locals.account.id

export const express: Peer = async (storage) => {
  const shop = openShop(storage)
  const accounts = makeAccounts()
  const app = makeApp()
  app.disable("x-powered-by")
  // Tags are made from revisions, not by hashing bodies.
  app.disable("etag")

  app.use((request: Request, response: Response, next) => {
    const account = accounts.find(request.get("x-api-key"))
    if (account === undefined)
      return problem(response, 401, "invalid_key", "a valid API key is needed")
    response.locals.account = account
    response.set("X-API-Version", API_VERSION)
    response.set("X-Request-Id", `express-${requests++}`)
    response.set("Cache-Control", FRESHNESS)
    return next()
  })
  const handler = (_: Request, response: Response) =>
    problem(response, 429, "rate_limited", "too many requests")
  app.use(
    rateLimit({
      windowMs: 86_400_000,
      limit: (_, response) => response.locals.account.perDay,
      keyGenerator,
      handler,
      legacyHeaders: false
    })
  )
  app.use(
    rateLimit({
      windowMs: 60_000,
      limit: (_, response) => response.locals.account.perMinute,
      keyGenerator,
      handler,
      legacyHeaders: true,
      standardHeaders: "draft-7"
    })
  )
  app.use((_: Request, response: Response, next) => {
    response.set("RateLimit-Policy", policyOf(response.locals.account))
    next()
  })
  app.use(makeApp.json())

  app.get("/pets/:petId", ({ params }, response: Response) => {
    const path: unknown = params
    if (!isPetPath(path))
      return problem(response, 400, "invalid_parameter", "petId: expected an id")
    const { petId } = path
    const pet = shop.pet(petId)
    response.set(deprecated(petId))
    if (pet === undefined) return problem(response, 404, "not_found", `there is no pet ${petId}`)
    return response.set("ETag", tagOf(pet)).json(pet)
  })

  app.get("/pets", (request, response: Response) => {
    const query: unknown = { ...request.query }
    if (!isPetQuery(query)) return problem(response, 400, "invalid_parameter", "expected a status")
    const { status, limit, cursor } = query
    const after = afterOf(cursor)
    if (after === undefined)
      return problem(response, 400, "invalid_parameter", "cursor: expected a cursor")
    const { pets, fields } = pageOf(shop.pets(status, after, limit + 1), status, limit)
    return response.set(fields).json(pets)
  })

  app.post("/pets", (request, response: Response) => {
    const body: unknown = request.body
    if (!isNewPet(body)) return problem(response, 422, "validation_failed", "expected a pet")
    const pet = shop.addPet(body)
    if (pet === undefined)
      return problem(response, 422, "unknown_category", "there is no such category")
    return response.status(201).set("Location", `/pets/${pet.id}`).set("ETag", tagOf(pet)).json(pet)
  })

  app.post("/store/orders", (request, response: Response) => {
    const body: unknown = request.body
    if (!isNewOrder(body)) return problem(response, 422, "validation_failed", "expected an order")
    const order = shop.order(body)
    if (order === "unknown_pet") return problem(response, 422, order, "there is no such pet")
    if (order === "insufficient_stock") return problem(response, 409, order, "fewer are for sale")
    return response
      .status(201)
      .set("Location", `/store/orders/${order.id}`)
      .set("ETag", tagOf(order))
      .json(order)
  })

  const failed: ErrorRequestHandler = (
    error: { status?: number; message: string },
    _,
    response: Response,
    __
  ) =>
    problem(
      response,
      error.status ?? 500,
      error.status === 400 ? "invalid_json" : "internal",
      error.message
    )
  app.use(failed)

  const server = app.listen(0, "127.0.0.1")
  await new Promise((listening) => server.once("listening", listening))
  return {
    port: portOf(server),
    key: accounts.key,
    close: async () => {
      server.closeAllConnections()
      server.close()
      shop.close()
    }
  }
}
