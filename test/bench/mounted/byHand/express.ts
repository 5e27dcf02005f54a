/** The routes that are measured, by hand on Express 5. */
import makeApp, { type Response } from "express"
import type { Target } from "../../http/works.js"
import { afterOf, deprecated, pageOf, tagOf } from "../../peers/shop/fields.js"
import { mapShop } from "../../peers/shop/mapShop.js"
import { portOf } from "../../peers/shop/portOf.js"
import { isNewPet, isPetPath, isPetQuery } from "../../peers/shop/validators.js"
import { makeAdmission, TOO_MANY, UNKNOWN_KEY } from "./admission.js"

const problem = (response: Response, status: number, code: string, message: string) =>
  response.status(status).json({ code, message, status })

export const express = async (): Promise<Target> => {
  const shop = mapShop()
  const { key, admit } = makeAdmission()
  const app = makeApp()
  app.disable("x-powered-by")
  // Tags are made from revisions, not by hashing bodies.
  app.disable("etag")

  app.use((request, response, next) => {
    const admission = admit(request.get("x-api-key"))
    if (admission === undefined) return response.status(401).json(UNKNOWN_KEY)
    response.set(admission.fields)
    return admission.allowed ? next() : response.status(429).json(TOO_MANY)
  })

  app.get("/pets/:petId", ({ params }, response: Response) => {
    const path: unknown = params
    if (!isPetPath(path))
      return problem(response, 400, "invalid_parameter", "petId: expected an id")
    const { petId } = path
    const pet = shop.pet(petId)
    if (pet === undefined) return problem(response, 404, "not_found", `there is no pet ${petId}`)
    return response.set({ ETag: tagOf(pet), ...deprecated(petId) }).json(pet)
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

  app.post("/pets", makeApp.json(), (request, response: Response) => {
    const body: unknown = request.body
    if (!isNewPet(body)) return problem(response, 422, "validation_failed", "expected a pet")
    const pet = shop.addPet(body)
    if (pet === undefined)
      return problem(response, 422, "unknown_category", "there is no such category")
    return response
      .status(201)
      .set({ Location: `/pets/${pet.id}`, ETag: tagOf(pet) })
      .json(pet)
  })

  const server = app.listen(0, "127.0.0.1")
  await new Promise((listening) => server.once("listening", listening))
  return { port: portOf(server), key }
}
