/**
 * The same service as its users would write it on Fastify 5: JSON Schemas for validation and
 * serialisation, @fastify/rate-limit for the minute and the day.
 */
import rateLimit from "@fastify/rate-limit"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
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
import {
  listSchema,
  newOrderSchema,
  newPetSchema,
  orderSchema,
  petIdSchema,
  petSchema
} from "./shop/jsonSchemas.js"
import { openShop } from "./shop/openShop.js"
import { portOf } from "./shop/portOf.js"
import type { NewOrder, NewPet, PetStatus } from "./shop/Shop.js"

declare module "fastify" {
  interface FastifyRequest {
    account: Account | null
  }
}

const problem = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).send({ code, message, status })

export const fastify: Peer = async (storage) => {
  const shop = openShop(storage)
  const accounts = makeAccounts()
  const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })

  app.setErrorHandler(
    (error: { statusCode?: number; validationContext?: string; message: string }, _, reply) => {
      if (error.validationContext === "body")
        return problem(reply, 422, "validation_failed", error.message)
      if (error.validationContext !== undefined)
        return problem(reply, 400, "invalid_parameter", error.message)
      const status = error.statusCode ?? 500
      return problem(reply, status, status === 429 ? "rate_limited" : "internal", error.message)
    }
  )

  app.decorateRequest("account", null)
  app.addHook("onRequest", async (request: FastifyRequest, reply: FastifyReply) => {
    const account = accounts.find(request.headers["x-api-key"])
    if (account === undefined) {
      await problem(reply, 401, "invalid_key", "a valid API key is needed")
      return
    }
    request.account = account
    reply.header("X-API-Version", API_VERSION)
    reply.header("X-Request-Id", request.id)
    reply.header("Cache-Control", FRESHNESS)
    reply.header("RateLimit-Policy", policyOf(account))
  })
  await app.register(rateLimit, {
    timeWindow: "1 minute",
    max: (request) => request.account?.perMinute ?? 60,
    keyGenerator: (request) => request.account?.id ?? request.ip
  })
  const daily = app.createRateLimit({
    timeWindow: "1 day",
    max: (request) => request.account?.perDay ?? 1_000,
    keyGenerator: (request) => request.account?.id ?? request.ip
  })
  app.addHook("onRequest", async (request, reply) => {
    const limit = await daily(request)
    if (limit.isAllowed) return
    reply.header("RateLimit", `"day";r=${limit.remaining};t=${limit.ttlInSeconds}`)
    if (limit.isExceeded) await problem(reply, 429, "rate_limited", "the daily limit is reached")
  })

  app.get<{ Params: { petId: number } }>(
    "/pets/:petId",
    { schema: { params: petIdSchema, response: { 200: petSchema } } },
    async ({ params: { petId } }, reply) => {
      const pet = shop.pet(petId)
      reply.headers(deprecated(petId))
      if (pet === undefined) return problem(reply, 404, "not_found", `there is no pet ${petId}`)
      reply.header("ETag", tagOf(pet))
      return pet
    }
  )

  app.get<{ Querystring: { status: PetStatus; limit: number; cursor?: string } }>(
    "/pets",
    { schema: { querystring: listSchema, response: { 200: { type: "array", items: petSchema } } } },
    async ({ query: { status, limit, cursor } }, reply) => {
      const after = afterOf(cursor)
      if (after === undefined)
        return problem(reply, 400, "invalid_parameter", "cursor: expected a cursor")
      const { pets, fields } = pageOf(shop.pets(status, after, limit + 1), status, limit)
      reply.headers(fields)
      return pets
    }
  )

  app.post<{ Body: NewPet }>(
    "/pets",
    { schema: { body: newPetSchema, response: { 201: petSchema } } },
    async ({ body }, reply) => {
      const pet = shop.addPet(body)
      if (pet === undefined)
        return problem(reply, 422, "unknown_category", "there is no such category")
      return reply
        .code(201)
        .header("Location", `/pets/${pet.id}`)
        .header("ETag", tagOf(pet))
        .send(pet)
    }
  )

  app.post<{ Body: NewOrder }>(
    "/store/orders",
    { schema: { body: newOrderSchema, response: { 201: orderSchema } } },
    async ({ body }, reply) => {
      const order = shop.order(body)
      if (order === "unknown_pet") return problem(reply, 422, order, "there is no such pet")
      if (order === "insufficient_stock") return problem(reply, 409, order, "fewer are for sale")
      return reply
        .code(201)
        .header("Location", `/store/orders/${order.id}`)
        .header("ETag", tagOf(order))
        .send(order)
    }
  )

  await app.listen({ host: "127.0.0.1", port: 0 })
  return {
    port: portOf(app.server),
    key: accounts.key,
    close: async () => {
      app.server.closeAllConnections()
      await app.close()
      shop.close()
    }
  }
}
