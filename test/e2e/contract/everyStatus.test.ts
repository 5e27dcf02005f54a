import { connect } from "node:net"
import { StorageError } from "@petstore/core"
import { openApiDocument } from "@petstore/http-adapter"
import { Clock, Effect, Either } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { documentCheck, type Received } from "./DocumentCheck.js"
import { type Call, type ServedShop, servedShop } from "./ServedShop.js"

const document = openApiDocument()
const check = documentCheck(document)

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation
  }))
)

type Operation = (typeof OPERATIONS)[number]

const AFTER_SUNSET_MS = Date.UTC(2028, 0, 1)

const clockAt = (nowMs: number): Clock.Clock => ({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => nowMs,
  currentTimeMillis: Effect.succeed(nowMs),
  unsafeCurrentTimeNanos: () => BigInt(nowMs) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(nowMs) * 1_000_000n),
  sleep: () => Effect.never
})

/** A shop whose storage fails, once callers are let in. */
const failing = (reason: StorageError["reason"]) =>
  servedShop({
    serve: { experimental: true },
    engine: (engine) => {
      const fail = () => Either.left(new StorageError({ reason, detail: "by this test" }))
      return { ...engine, read: fail, write: fail, feed: { ...engine.feed, last: fail } }
    }
  })

let shop: ServedShop
let broken: ServedShop
let busy: ServedShop
let full: ServedShop
let ended: ServedShop

beforeAll(async () => {
  shop = await servedShop({
    serve: { requestTimeoutMs: 1_000, headersTimeoutMs: 1_000, experimental: true }
  })
  broken = await failing("Unknown")
  busy = await failing("Busy")
  full = await failing("Full")
  ended = await servedShop({
    serve: { afterSunset: "enforce" },
    open: { clock: clockAt(AFTER_SUNSET_MS) }
  })
})

afterAll(() => Promise.all([shop, broken, busy, full, ended].map((each) => each.close())))

/**
 * Records of their own for each call: a pet with stock and one without, each free of orders, and an
 * open order.
 */
const fresh = async () => {
  const { categories, pets, inventory, orders } = shop.store
  const category = await categories.create({ name: "Dogs" })
  const empty = await categories.create({ name: "Nothing" })
  const pet = await pets.create({ name: "Rex", categoryId: category.id })
  const stocked = await pets.create({ name: "Goldie", categoryId: category.id })
  await inventory.set(stocked.id, { quantity: 5 })
  const order = await orders.place({ petId: stocked.id })
  const sold = await orders.place({ petId: stocked.id, complete: true })
  return { category, empty, pet, stocked, order, sold }
}

type Fresh = Awaited<ReturnType<typeof fresh>>

const JSON_TYPE = { "content-type": "application/json" }

const bodyOf = ({ operation }: Operation, { category, pet }: Fresh): string | undefined => {
  const schema = operation.requestBody?.content["application/json"]?.schema
  const bodies: Readonly<Record<string, unknown>> = {
    NewPet: { name: "Max", categoryId: category.id },
    PetPatch: { name: "Max" },
    NewCategory: { name: "Cats" },
    CategoryPatch: { description: null },
    NewOrder: { petId: pet.id },
    OrderPatch: { shipDate: "2026-12-24T09:00:00+01:00" },
    InventoryUpdate: { quantity: 3 }
  }
  const name = schema !== undefined && "$ref" in schema ? (schema.$ref.split("/").at(-1) ?? "") : ""
  return schema === undefined ? undefined : JSON.stringify(bodies[name])
}

/**
 * Which record a call is about; a pet that no order holds, and a category without pets, unless
 * another is asked for.
 */
const targetOf = ({ path }: Operation, { empty, pet, stocked, order }: Fresh): string =>
  path
    .replace("/store/inventory/{petId}", `/store/inventory/${stocked.id}`)
    .replace("{petId}", String(pet.id))
    .replace("{categoryId}", String(empty.id))
    .replace("{orderId}", String(order.id))

const good = (operation: Operation, records: Fresh): Call => {
  const body = bodyOf(operation, records)
  return {
    method: operation.method,
    target: targetOf(operation, records),
    ...(body === undefined ? {} : { body, headers: JSON_TYPE })
  }
}

const withBody = (call: Call, body: unknown): Call => ({
  ...call,
  headers: JSON_TYPE,
  body: JSON.stringify(body)
})

/** A call that the rules refuse. */
const conflicting = (operation: Operation, records: Fresh): Call => {
  const { category, stocked, sold } = records
  const call = good(operation, records)
  const onSold = { ...call, target: `/store/orders/${sold.id}` }
  const calls: Readonly<Record<string, Call>> = {
    replacePet: withBody(
      { ...call, target: `/pets/${stocked.id}` },
      { name: "Max", categoryId: category.id, status: "sold" }
    ),
    updatePet: withBody({ ...call, target: `/pets/${stocked.id}` }, { status: "sold" }),
    deletePet: { ...call, target: `/pets/${stocked.id}` },
    deleteCategory: { ...call, target: `/categories/${category.id}` },
    placeOrder: withBody(call, { petId: stocked.id, quantity: 1_000 }),
    replaceOrder: withBody(onSold, {}),
    updateOrder: withBody(onSold, { complete: false }),
    cancelOrder: onSold,
    setInventory: withBody(call, { quantity: 2 ** 31 - 1 })
  }
  return calls[operation.operation.operationId] ?? call
}

/** Lines on a bare socket, and what comes back until it is closed. */
const raw = (lines: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(shop.url)
    const socket = connect(Number(port), hostname, () => socket.write(lines))
    let text = ""
    socket.setEncoding("utf8").on("data", (piece: string) => (text += piece))
    socket.on("error", reject).on("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n")
      const [status = "", ...fields] = head.split("\r\n")
      const headers = new Headers(
        fields.map((field): [string, string] => [
          field.split(": ")[0] ?? "",
          field.split(": ")[1] ?? ""
        ])
      )
      resolve({ status: Number(status.split(" ")[1]), headers, text: body })
    })
  })

/**
 * What a request that never ends is answered; it takes a second or two, and is the same for every
 * path.
 */
const waited = new Map<string, Promise<Received>>()

const late = (method: string): Promise<Received> => {
  const answer = waited.get(method) ?? raw(`${method} /pets HTTP/1.1\r\nHost: shop\r\nX-A`)
  waited.set(method, answer)
  return answer
}

const limited = async (): Promise<string> => {
  const account = await shop.store.accounts.create({
    name: "one",
    plan: "enterprise",
    perMinute: 1,
    perDay: 1
  })
  const { key } = await shop.store.keys.create(account.id, { name: "one" })
  await shop.send({ method: "GET", target: "/pets", headers: { "x-api-key": key } })
  return key
}

const disabled = async (): Promise<string> => {
  const account = await shop.store.accounts.create({ name: "off", plan: "free" })
  const { id, key } = await shop.store.keys.create(account.id, { name: "off" })
  await shop.store.keys.disable(id)
  return key
}

/** How to get each status from an operation that has it. */
const RECIPES: Readonly<
  Record<string, (operation: Operation, records: Fresh) => Promise<Received>>
> = {
  "200": (operation, records) => shop.send(good(operation, records)),
  "201": (operation, records) =>
    shop.send({
      ...good(operation, records),
      ...(operation.path === "/store/inventory/{petId}"
        ? { target: `/store/inventory/${records.pet.id}` }
        : {})
    }),
  "204": (operation, records) => shop.send(good(operation, records)),
  "304": (operation, records) =>
    shop.send({ ...good(operation, records), headers: { "if-none-match": "*" } }),
  "400": (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, target: `${call.target}?colour=red` })
  },
  "401": (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, headers: { ...call.headers, "x-api-key": "" } })
  },
  "403": async (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, headers: { ...call.headers, "x-api-key": await disabled() } })
  },
  "404": (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, target: call.target.replace(/\d+$/, "999999") })
  },
  "406": (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, headers: { ...call.headers, accept: "text/html" } })
  },
  "408": ({ method }) => late(method),
  "409": (operation, records) => shop.send(conflicting(operation, records)),
  "410": (operation, records) => {
    const call = good(operation, records)
    return ended.send({ ...call, headers: { ...call.headers, "x-api-key": ended.key } })
  },
  "412": (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, headers: { ...call.headers, "if-match": '"9-9"' } })
  },
  "413": (operation, records) =>
    shop.send({ ...good(operation, records), body: `"${"x".repeat(1_048_576)}"` }),
  "414": (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, target: `${call.target}?a=${"b".repeat(9_000)}` })
  },
  "415": (operation, records) =>
    shop.send({ ...good(operation, records), headers: { "content-type": "text/plain" } }),
  "422": async (operation, records) => {
    const call = good(operation, records)
    if (call.body !== undefined) return shop.send(withBody(call, { colour: "red" }))
    const headers = { "idempotency-key": call.target }
    await shop.send({ ...call, headers: { ...headers, "if-match": '"9-9"' } })
    return shop.send({ ...call, headers })
  },
  "429": async (operation, records) => {
    const call = good(operation, records)
    return shop.send({ ...call, headers: { ...call.headers, "x-api-key": await limited() } })
  },
  "431": ({ method }) =>
    raw(`${method} /pets HTTP/1.1\r\nHost: shop\r\nX-A: ${"x".repeat(20_000)}\r\n\r\n`),
  "500": (operation, records) => broken.send(good(operation, records)),
  "503": (operation, records) => busy.send(good(operation, records)),
  "507": (operation, records) => full.send(good(operation, records))
}

describe("every operation answers every status of the document, as the document says", () => {
  it.concurrent.each(OPERATIONS.map((each) => [`${each.method} ${each.path}`, each] as const))(
    "%s",
    async (_, operation) => {
      const { method, path } = operation
      const statuses = Object.keys(operation.operation.responses)
      expect(statuses.filter((status) => RECIPES[status] === undefined)).toEqual([])
      const wrong = await Promise.all(
        statuses.map(async (status) => {
          const received = await RECIPES[status]?.(operation, await fresh())
          if (received === undefined) return []
          const faults = check.faults(method, path, received)
          const isOther = String(received.status) !== status
          return isOther
            ? faults.concat(`${status}: got ${received.status} ${received.text}`)
            : faults
        })
      )
      expect(wrong.flat()).toEqual([])
    }
  )

  it("a request that can't be parsed, as a 400 of whatever it was meant for", async () => {
    for (const { method, path } of OPERATIONS) {
      const received = await raw(
        `${method} ${path} HTTP/1.1\r\nHost: shop\r\nX-API-Version: \u0001\r\n\r\n`
      )
      expect([received.status, check.faults(method, path, received)]).toEqual([400, []])
    }
  })

  it("errors as RFC 9457 has them, where they are accepted", async () => {
    const accept = { accept: "application/problem+json" }
    const received = await shop.send({ method: "GET", target: "/pets/999999", headers: accept })
    expect(check.faults("GET", "/pets/{petId}", received)).toEqual([])
    expect(received.headers.get("content-type")).toBe("application/problem+json")
  })

  it("HEAD as GET, without a body", async () => {
    const { pet } = await fresh()
    for (const [path, target] of [
      ["/pets", "/pets"],
      ["/pets/{petId}", `/pets/${pet.id}`],
      ["/pets/{petId}", "/pets/999999"]
    ] as const) {
      const received = await shop.send({ method: "HEAD", target })
      expect(received.text).toBe("")
      expect(
        check
          .faults("GET", path, { ...received, text: "null" })
          .filter((fault) => !fault.startsWith("body"))
      ).toEqual([])
    }
  })

  it("a path of the document answers no method but its own, and says which those are", async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const target = path.replace(/\{\w+\}/, "1")
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY", "PROPFIND"]) {
        if (methods[method.toLowerCase()] !== undefined) continue
        const { status, headers } = await shop.send({ method, target })
        const own = Object.keys(methods).map((each) => each.toUpperCase())
        expect([
          status,
          headers
            .get("allow")
            ?.split(", ")
            .filter((each) => own.includes(each))
            .sort()
        ]).toEqual([405, own.sort()])
      }
    }
    expect(
      (
        await raw(
          `TRACE /pets HTTP/1.1\r\nHost: shop\r\nX-API-Key: ${shop.key}\r\nConnection: close\r\n\r\n`
        )
      ).status
    ).toBe(405)
  })
})

describe("a response that is not in the document", () => {
  const faultsOf = (change: Partial<Received>, without: ReadonlyArray<string> = []) =>
    fresh().then(async ({ pet }) => {
      const received = await shop.send({ method: "GET", target: `/pets/${pet.id}` })
      const headers = new Headers([...received.headers].filter(([name]) => !without.includes(name)))
      return check.faults("GET", "/pets/{petId}", { ...received, headers, ...change })
    })

  it("is found: its status, its fields, its type, its body", async () => {
    expect(await faultsOf({})).toEqual([])
    expect((await faultsOf({ status: 418 }))[0]).toMatch(/status 418/)
    expect((await faultsOf({}, ["sunset"]))[0]).toMatch(/header sunset is missing/)
    expect((await faultsOf({ headers: new Headers({ "x-new": "1" }) })).join()).toMatch(
      /header x-new is not in/
    )
    expect((await faultsOf({}, ["content-type"]))[0]).toMatch(/content type null/)
    expect((await faultsOf({ text: '{"id":1,"name":"Rex","categoryId":1}' }))[0]).toMatch(
      /required property 'status'/
    )
    const more = '{"id":1,"name":"Rex","categoryId":1,"status":"sold","colour":"red"}'
    expect((await faultsOf({ text: more }))[0]).toMatch(/additional properties/)
    expect(
      (await faultsOf({ text: '{"id":0,"name":" ","categoryId":1.5,"status":"lost"}' }))[0]
    ).toMatch(/>= 1.*pattern.*integer.*allowed values/s)
  })
})
