/** The least that does the work by hand on node:http: what any framework is held against. */
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse
} from "node:http"
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
import { type NewOrder, type NewPet, type PetStatus, STATUSES } from "./shop/Shop.js"

type Window = { minute: number; minuteUsed: number; day: number; dayUsed: number }
type Fields = OutgoingHttpHeaders

let requests = 0

const send = (
  response: ServerResponse,
  status: number,
  body: unknown,
  rate: Fields,
  more: Fields = {}
) => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    "X-API-Version": API_VERSION,
    "X-Request-Id": `bare-${requests++}`,
    "Cache-Control": FRESHNESS,
    ...rate,
    ...more
  })
  response.end(text)
}

const refuse = (
  response: ServerResponse,
  status: number,
  code: string,
  rate: Fields,
  more?: Fields
) => send(response, status, { code, message: code, status }, rate, more)

const isStatus = (status: unknown): status is PetStatus =>
  STATUSES.some((known) => known === status)
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0

const isNewPet = (body: unknown): body is NewPet => {
  if (typeof body !== "object" || body === null) return false
  const { name, categoryId, status = "available", ...rest }: Record<string, unknown> = { ...body }
  return (
    typeof name === "string" &&
    /\S/.test(name) &&
    name.length <= 200 &&
    isCount(categoryId) &&
    isStatus(status) &&
    Object.keys(rest).length === 0
  )
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const isNewOrder = (body: unknown): body is NewOrder => {
  if (typeof body !== "object" || body === null) return false
  const {
    petId,
    quantity = 1,
    shipDate,
    complete = false,
    ...rest
  }: Record<string, unknown> = { ...body }
  return (
    isCount(petId) &&
    isCount(quantity) &&
    quantity < 2 ** 31 &&
    (shipDate === undefined || (typeof shipDate === "string" && RFC_3339.test(shipDate))) &&
    typeof complete === "boolean" &&
    Object.keys(rest).length === 0
  )
}

/** The body as JSON; `undefined` where it is none. */
const readJson = (request: IncomingMessage, then: (body: unknown) => void): void => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    let body: unknown
    try {
      body = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    } catch {}
    then(body)
  })
}

export const bare: Peer = async (storage) => {
  const shop = openShop(storage)
  const accounts = makeAccounts()
  const windows = new Map<string, Window>()

  /** Counts the request in both windows, or says that it is one too many. */
  const charge = (account: Account) => {
    const nowSeconds = Math.floor(Date.now() / 1_000)
    const minute = Math.floor(nowSeconds / 60)
    const day = Math.floor(nowSeconds / 86_400)
    let used = windows.get(account.id)
    if (used === undefined)
      windows.set(account.id, (used = { minute, minuteUsed: 0, day, dayUsed: 0 }))
    if (used.minute !== minute) [used.minute, used.minuteUsed] = [minute, 0]
    if (used.day !== day) [used.day, used.dayUsed] = [day, 0]
    const allowed = used.minuteUsed < account.perMinute && used.dayUsed < account.perDay
    if (allowed) {
      used.minuteUsed++
      used.dayUsed++
    }
    const remaining = account.perMinute - used.minuteUsed
    const reset = (minute + 1) * 60
    const rate = {
      "X-RateLimit-Limit": account.perMinute,
      "X-RateLimit-Remaining": remaining,
      "X-RateLimit-Reset": reset,
      "RateLimit-Policy": policyOf(account),
      RateLimit: `"minute";r=${remaining};t=${reset - nowSeconds}`
    }
    return { allowed, rate, retryAfterSeconds: reset - nowSeconds }
  }

  const getPet = (response: ServerResponse, id: number, rate: Fields) => {
    if (!isCount(id)) return refuse(response, 400, "invalid_parameter", rate)
    const pet = shop.pet(id)
    if (pet === undefined) return refuse(response, 404, "not_found", rate)
    return send(response, 200, pet, rate, { ETag: tagOf(pet), ...deprecated(id) })
  }

  const listPets = (response: ServerResponse, query: string, rate: Fields) => {
    const asked = new URLSearchParams(query)
    const status = asked.get("status")
    const limit = Number(asked.get("limit") ?? 50)
    const after = afterOf(asked.get("cursor") ?? undefined)
    if (!isStatus(status) || !isCount(limit) || limit > 100 || after === undefined)
      return refuse(response, 400, "invalid_parameter", rate)
    const { pets, fields } = pageOf(shop.pets(status, after, limit + 1), status, limit)
    return send(response, 200, pets, rate, fields)
  }

  const addPet = (response: ServerResponse, body: unknown, rate: Fields) => {
    if (!isNewPet(body)) return refuse(response, 422, "validation_failed", rate)
    const pet = shop.addPet(body)
    if (pet === undefined) return refuse(response, 422, "unknown_category", rate)
    return send(response, 201, pet, rate, { Location: `/pets/${pet.id}`, ETag: tagOf(pet) })
  }

  const placeOrder = (response: ServerResponse, body: unknown, rate: Fields) => {
    if (!isNewOrder(body)) return refuse(response, 422, "validation_failed", rate)
    const order = shop.order(body)
    if (typeof order === "string")
      return refuse(response, order === "unknown_pet" ? 422 : 409, order, rate)
    return send(response, 201, order, rate, {
      Location: `/store/orders/${order.id}`,
      ETag: tagOf(order)
    })
  }

  const server = createServer((request, response) => {
    const account = accounts.find(request.headers["x-api-key"])
    if (account === undefined) return refuse(response, 401, "invalid_key", {})
    const { allowed, rate, retryAfterSeconds } = charge(account)
    if (!allowed)
      return refuse(response, 429, "rate_limited", rate, { "Retry-After": retryAfterSeconds })
    const { method, url = "/" } = request
    if (method === "GET" && url.startsWith("/pets/"))
      return getPet(response, Number(url.slice(6)), rate)
    if (method === "GET" && url.startsWith("/pets?")) return listPets(response, url.slice(6), rate)
    if (method === "POST" && url === "/pets")
      return readJson(request, (body) => addPet(response, body, rate))
    if (method === "POST" && url === "/store/orders")
      return readJson(request, (body) => placeOrder(response, body, rate))
    return refuse(response, 404, "route_not_found", rate)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
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
