/** The least that does the work by hand on node:http: what any framework is held against. Prints its port and a key. */
import { createHash, randomBytes } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"

type Pet = { id: number; name: string; categoryId: number; status: string }
type Account = {
  perMinute: number
  perDay: number
  minute: number
  minuteUsed: number
  day: number
  dayUsed: number
}

const pets = new Map<number, Pet>()
const categories = new Set([1])
const accounts = new Map<string, Account>()
let lastId = 0

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")
const key = `ps_${randomBytes(19).toString("hex")}`
accounts.set(digest(key), {
  perMinute: 10 ** 9,
  perDay: 10 ** 9,
  minute: 0,
  minuteUsed: 0,
  day: 0,
  dayUsed: 0
})

const STATUSES = new Set(["available", "pending", "sold"])

const DEPRECATED = {
  deprecation: "@1796083200",
  sunset: "Wed, 01 Dec 2027 00:00:00 GMT",
  link: '</pets?id=1>; rel="successor-version", </docs>; rel="deprecation"; type="text/html", </docs>; rel="sunset"; type="text/html"'
}
let requests = 0

const send = (
  response: ServerResponse,
  status: number,
  body: unknown,
  rate: Record<string, number | string>,
  more = {}
) => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-api-version": "1.0.0",
    "x-request-id": `bare-${requests++}`,
    "cache-control": "private, no-cache",
    ...rate,
    ...more
  })
  response.end(text)
}

const isNewPet = (body: unknown): body is Omit<Pet, "id"> => {
  if (typeof body !== "object" || body === null) return false
  const { name, categoryId, status = "available", ...rest } = body as Partial<Pet>
  return (
    typeof name === "string" &&
    /\S/.test(name) &&
    name.length <= 200 &&
    Number.isSafeInteger(categoryId) &&
    STATUSES.has(status) &&
    Object.keys(rest).length === 0
  )
}

const server = createServer((request, response) => {
  const presented = request.headers["x-api-key"]
  const account = typeof presented === "string" ? accounts.get(digest(presented)) : undefined
  if (account === undefined)
    return send(response, 401, { code: "invalid_key", message: "no", status: 401 }, {})
  const now = Date.now()
  const minute = Math.floor(now / 60_000)
  const day = Math.floor(now / 86_400_000)
  if (account.minute !== minute) [account.minute, account.minuteUsed] = [minute, 0]
  if (account.day !== day) [account.day, account.dayUsed] = [day, 0]
  const allowed = account.minuteUsed < account.perMinute && account.dayUsed < account.perDay
  if (allowed) {
    account.minuteUsed++
    account.dayUsed++
  }
  const rate = {
    "x-ratelimit-limit": account.perMinute,
    "x-ratelimit-remaining": account.perMinute - account.minuteUsed,
    "x-ratelimit-reset": (minute + 1) * 60,
    "ratelimit-policy": `"minute";q=${account.perMinute};w=60, "day";q=${account.perDay};w=86400`,
    ratelimit: `"minute";r=${account.perMinute - account.minuteUsed};t=${60 - (Math.floor(now / 1000) % 60)}`
  }
  if (!allowed)
    return send(response, 429, { code: "rate_limited", message: "no", status: 429 }, rate, {
      "retry-after": 60
    })
  const url = request.url ?? "/"
  if (request.method === "GET" && url.startsWith("/pets/")) {
    const pet = pets.get(Number(url.slice(6)))
    return pet === undefined
      ? send(response, 404, { code: "not_found", message: "no", status: 404 }, rate)
      : send(response, 200, pet, rate, { etag: `"${pet.id}-1"`, ...DEPRECATED })
  }
  if (request.method === "POST" && url === "/pets") {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      let body: unknown
      try {
        body = JSON.parse(Buffer.concat(chunks).toString("utf8"))
      } catch {
        return send(response, 400, { code: "invalid_json", message: "no", status: 400 }, rate)
      }
      if (!isNewPet(body))
        return send(response, 422, { code: "validation_failed", message: "no", status: 422 }, rate)
      if (!categories.has(body.categoryId)) {
        return send(response, 422, { code: "unknown_category", message: "no", status: 422 }, rate)
      }
      const pet = {
        id: ++lastId,
        name: body.name,
        categoryId: body.categoryId,
        status: body.status ?? "available"
      }
      pets.set(pet.id, pet)
      return send(response, 201, pet, rate, { location: `/pets/${pet.id}`, etag: `"${pet.id}-1"` })
    })
    return
  }
  return send(response, 404, { code: "route_not_found", message: "no", status: 404 }, rate)
})

for (let nth = 0; nth < 1_000; nth++) {
  pets.set(++lastId, { id: lastId, name: `Pet ${nth}`, categoryId: 1, status: "available" })
}
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0, key }))
})
