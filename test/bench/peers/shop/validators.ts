/**
 * Checks compiled from the JSON Schemas by Ajv, for frameworks that bring none. Each narrows what
 * it has checked.
 */
import { Ajv } from "ajv"
import { listSchema, newOrderSchema, newPetSchema, petIdSchema } from "./jsonSchemas.js"
import type { NewOrder, NewPet, PetStatus } from "./Shop.js"

const ofBodies = new Ajv()
/** Parameters come as texts: they are turned into numbers in place. */
const ofParameters = new Ajv({ coerceTypes: true, useDefaults: true })

export const isNewPet = ofBodies.compile<NewPet>(newPetSchema)
export const isNewOrder = ofBodies.compile<NewOrder>(newOrderSchema)
export const isPetQuery = ofParameters.compile<{
  status: PetStatus
  limit: number
  cursor?: string
}>(listSchema)
export const isPetPath = ofParameters.compile<{ petId: number }>(petIdSchema)
