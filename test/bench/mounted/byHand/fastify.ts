/** The routes that are measured, by hand on Fastify 5: JSON Schemas in and out. */
import Fastify, { type FastifyReply } from "fastify"
import type { Target } from "../../http/works.js"
import { afterOf, deprecated, pageOf, tagOf } from "../../peers/shop/fields.js"
import { listSchema, newPetSchema, petIdSchema, petSchema } from "../../peers/shop/jsonSchemas.js"
import { mapShop } from "../../peers/shop/mapShop.js"
import { portOf } from "../../peers/shop/portOf.js"
import type { NewPet, PetStatus } from "../../peers/shop/Shop.js"
import { makeAdmission, TOO_MANY, UNKNOWN_KEY } from "./admission.js"

const problem = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).send({ code, message, status })

export const fastify = async (): Promise<Target> => {
  const shop = mapShop()
  const { key, admit } = makeAdmission()
  const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })

  app.addHook("onRequest", (request, reply, done) => {
    const admission = admit(request.headers["x-api-key"])
    if (admission === undefined) return void reply.code(401).send(UNKNOWN_KEY)
    reply.headers(admission.fields)
    return admission.allowed ? done() : void reply.code(429).send(TOO_MANY)
  })

  app.get<{ Params: { petId: number } }>(
    "/pets/:petId",
    { schema: { params: petIdSchema, response: { 200: petSchema } } },
    ({ params: { petId } }, reply) => {
      const pet = shop.pet(petId)
      if (pet === undefined) return problem(reply, 404, "not_found", `there is no pet ${petId}`)
      return reply.headers({ ETag: tagOf(pet), ...deprecated(petId) }).send(pet)
    }
  )

  app.get<{ Querystring: { status: PetStatus; limit: number; cursor?: string } }>(
    "/pets",
    { schema: { querystring: listSchema, response: { 200: { type: "array", items: petSchema } } } },
    ({ query: { status, limit, cursor } }, reply) => {
      const after = afterOf(cursor)
      if (after === undefined)
        return problem(reply, 400, "invalid_parameter", "cursor: expected a cursor")
      const { pets, fields } = pageOf(shop.pets(status, after, limit + 1), status, limit)
      return reply.headers(fields).send(pets)
    }
  )

  app.post<{ Body: NewPet }>(
    "/pets",
    { schema: { body: newPetSchema, response: { 201: petSchema } } },
    ({ body }, reply) => {
      const pet = shop.addPet(body)
      if (pet === undefined)
        return problem(reply, 422, "unknown_category", "there is no such category")
      return reply
        .code(201)
        .headers({ Location: `/pets/${pet.id}`, ETag: tagOf(pet) })
        .send(pet)
    }
  )

  await app.listen({ host: "127.0.0.1", port: 0 })
  return { port: portOf(app.server), key }
}
