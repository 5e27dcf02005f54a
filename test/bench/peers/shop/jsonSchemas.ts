/**
 * What a request may hold, as JSON Schemas: Fastify compiles them itself, Express and Hono with
 * Ajv.
 */
import { STATUSES } from "./Shop.js"

const id = { type: "integer", minimum: 1 }
const status = { type: "string", enum: STATUSES }

export const petSchema = {
  type: "object",
  required: ["id", "name", "categoryId", "status"],
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    categoryId: { type: "integer" },
    status
  }
}

export const newPetSchema = {
  type: "object",
  required: ["name", "categoryId"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200, pattern: "\\S" },
    categoryId: id,
    status
  }
}

export const orderSchema = {
  type: "object",
  required: ["id", "petId", "quantity", "complete"],
  properties: {
    id: { type: "integer" },
    petId: { type: "integer" },
    quantity: { type: "integer" },
    shipDate: { type: "string" },
    complete: { type: "boolean" }
  }
}

export const newOrderSchema = {
  type: "object",
  required: ["petId"],
  additionalProperties: false,
  properties: {
    petId: id,
    quantity: { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 },
    shipDate: {
      type: "string",
      pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$"
    },
    complete: { type: "boolean" }
  }
}

/** Of a query, whose values come as texts: Ajv turns them into numbers. */
export const listSchema = {
  type: "object",
  required: ["status"],
  additionalProperties: false,
  properties: {
    status,
    limit: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    cursor: { type: "string", pattern: "^[A-Za-z0-9_-]+$" }
  }
}

export const petIdSchema = { type: "object", properties: { petId: id } }
