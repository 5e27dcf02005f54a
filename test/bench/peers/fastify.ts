/**
 * The same service as its users would write it on Fastify 5: JSON Schemas for validation and serialisation,
 * @fastify/rate-limit for the minute and the day, API keys by digest, and for the records a Map, or with the argument `file`
 * better-sqlite3 with a synced commit for every write. Prints its port and a key.
 */
import { createHash, randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import rateLimit from "@fastify/rate-limit"
import Database from "better-sqlite3"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"

type Pet = { id: number; name: string; categoryId: number; status: "available" | "pending" | "sold" }
type Account = { id: string; perMinute: number; perDay: number }

const categories = new Set([1])
const accounts = new Map<string, Account>()

type Pets = { readonly get: (id: number) => Pet | undefined; readonly add: (pet: Omit<Pet, "id">) => Pet }

const inMemory = (): Pets => {
  const pets = new Map<number, Pet>()
  return {
    get: (id) => pets.get(id),
    add: (fields) => {
      const pet = { id: pets.size + 1, ...fields }
      pets.set(pet.id, pet)
      return pet
    }
  }
}

const inFile = (): Pets => {
  const folder = mkdtempSync(join(tmpdir(), "fastify-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  const db = new Database(join(folder, "pets.db"))
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = FULL")
  db.exec(`CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, categoryId INTEGER NOT NULL,
    status TEXT NOT NULL); CREATE INDEX pets_status ON pets (status); CREATE INDEX pets_category ON pets (categoryId)`)
  const get = db.prepare<[number], Pet>("SELECT id, name, categoryId, status FROM pets WHERE id = ?")
  const insert = db.prepare("INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)")
  return {
    get: (id) => get.get(id),
    add: (fields) => {
      const { lastInsertRowid } = insert.run(fields.name, fields.categoryId, fields.status)
      return { id: Number(lastInsertRowid), ...fields }
    }
  }
}

const pets = process.argv[2] === "file" ? inFile() : inMemory()

const digest = (key: string): string => createHash("sha256").update(key).digest("hex")
const key = `ps_${randomBytes(19).toString("hex")}`
accounts.set(digest(key), { id: "1", perMinute: 10 ** 9, perDay: 10 ** 9 })

declare module "fastify" {
  interface FastifyRequest {
    account: Account | null
  }
}

const petSchema = {
  type: "object",
  required: ["id", "name", "categoryId", "status"],
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    categoryId: { type: "integer" },
    status: { type: "string", enum: ["available", "pending", "sold"] }
  }
}
const newPetSchema = {
  type: "object",
  required: ["name", "categoryId"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200, pattern: "\\S" },
    categoryId: { type: "integer", minimum: 1 },
    status: { type: "string", enum: ["available", "pending", "sold"] }
  }
}
const idSchema = { type: "object", properties: { petId: { type: "integer", minimum: 1 } } }

const problem = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).send({ code, message, status })

const DEPRECATED = {
  deprecation: "@1796083200",
  sunset: "Wed, 01 Dec 2027 00:00:00 GMT",
  link: '</pets?id=1>; rel="successor-version", </docs>; rel="deprecation"; type="text/html", </docs>; rel="sunset"; type="text/html"'
}

const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })
app.decorateRequest("account", null)
app.addHook("onRequest", async (request: FastifyRequest, reply: FastifyReply) => {
  const presented = request.headers["x-api-key"]
  const account = typeof presented === "string" ? accounts.get(digest(presented)) : undefined
  if (account === undefined) {
    await problem(reply, 401, "invalid_key", "a valid API key is needed")
    return
  }
  request.account = account
  reply.header("x-api-version", "1.0.0")
  reply.header("x-request-id", request.id)
  reply.header("cache-control", "private, no-cache")
  reply.header("ratelimit-policy", `"minute";q=${account.perMinute};w=60, "day";q=${account.perDay};w=86400`)
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
  if (!limit.isAllowed) reply.header("ratelimit", `"day";r=${limit.remaining};t=${limit.ttlInSeconds}`)
  if (!limit.isAllowed && limit.isExceeded) {
    await problem(reply, 429, "rate_limited", "the daily limit is reached")
  }
})

app.get<{ Params: { petId: number } }>(
  "/pets/:petId",
  { schema: { params: idSchema, response: { 200: petSchema } } },
  async (request, reply) => {
    const pet = pets.get(request.params.petId)
    reply.headers(DEPRECATED)
    if (pet !== undefined) reply.header("etag", `"${pet.id}-1"`)
    return pet ?? problem(reply, 404, "not_found", `there is no pet ${request.params.petId}`)
  }
)

app.post<{ Body: Omit<Pet, "id" | "status"> & { status?: Pet["status"] } }>(
  "/pets",
  { schema: { body: newPetSchema, response: { 201: petSchema } } },
  async (request, reply) => {
    const { name, categoryId, status = "available" } = request.body
    if (!categories.has(categoryId))
      return problem(reply, 422, "unknown_category", "there is no such category")
    const pet = pets.add({ name, categoryId, status })
    return reply.code(201).header("location", `/pets/${pet.id}`).header("etag", `"${pet.id}-1"`).send(pet)
  }
)

for (let nth = 0; nth < 1_000; nth++) pets.add({ name: `Pet ${nth}`, categoryId: 1, status: "available" })
process.on("SIGTERM", () => process.exit(0))
await app.listen({ host: "127.0.0.1", port: 0 })
const address = app.server.address()
console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0, key }))
