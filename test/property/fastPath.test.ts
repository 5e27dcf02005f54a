import type { OpenPetStore } from "@petstore/core"
import { serve, toWebHandler } from "@petstore/http-adapter"
import { openTestStore } from "@petstore/storage-memory"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { type Asked, plainService, type Told } from "./plain/plainly.js"

const NOON = "2026-01-31T12:00:20Z"
const LIMITS = { perMinute: 100_000, perDay: 10_000_000 }

const id = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }).map(String) },
  fc.constantFrom(
    "0",
    "01",
    "+1",
    "abc",
    "%31",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808"
  )
)

const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("/pets", "/categories", "/store/orders", "/store/inventory")
  },
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.constantFrom("/pets", "/categories", "/store/orders", "/store/inventory"), id)
      .map(([base, one]) => `${base}/${one}`)
  },
  fc.constantFrom("/", "/petz", "/pets/", "/pets/1/2", "/Pets", "/store", "/store/orders/1/")
)

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("GET", "POST") },
  { weight: 4, arbitrary: fc.constantFrom("PUT", "PATCH", "DELETE") },
  fc.constant("HEAD")
)

const parameter = fc.constantFrom(
  "limit=1",
  "limit=2",
  "limit=101",
  "limit=1.0",
  "limit=",
  "status=available",
  "status=pending",
  "status=gone",
  "categoryId=1",
  "id=1",
  "id=3",
  "name=r",
  "name=%C3%A9+a",
  "sort=-id",
  "sort=name",
  "sort=colour",
  "total=true",
  "total=1",
  "cursor=abc",
  "petId=1",
  "complete=true",
  "shipDateFrom=2026-01-01T00:00:00Z",
  "shipDateFrom=yesterday",
  "colour=red"
)

const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  {
    weight: 2,
    arbitrary: fc.array(parameter, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join("&"))
  }
)

/** Members of every record at once: which of them a body has decides what it is good for. */
const member: fc.Arbitrary<readonly [name: string, value: unknown]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant("name"),
      fc.constantFrom(
        "Rex",
        'the "best"',
        "back\\slash",
        "é \u2028 \ud83d\ude00",
        "  ",
        "",
        1,
        null
      )
    )
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant("categoryId"), fc.constantFrom(1, 2, 9, 0, -1, "1", null))
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant("status"),
      fc.constantFrom("available", "pending", "sold", "gone", null)
    )
  },
  fc.tuple(fc.constant("description"), fc.constantFrom("a kind", "", null, 3)),
  { weight: 2, arbitrary: fc.tuple(fc.constant("petId"), fc.constantFrom(1, 2, 3, 99, null, "2")) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant("quantity"),
      fc.constantFrom(0, 1, 2, 5, -1, 1.5, null, 2 ** 31)
    )
  },
  fc.tuple(
    fc.constant("shipDate"),
    fc.constantFrom("2026-02-03T04:05:06+01:00", "2026-02-30T00:00:00Z", "soon", null)
  ),
  fc.tuple(fc.constant("complete"), fc.constantFrom(true, false, null, "yes")),
  fc.tuple(fc.constantFrom("id", "colour", "__proto__"), fc.constantFrom(1, 2, "red"))
)

const whole = fc.constantFrom<unknown>(
  { name: "Rex", categoryId: 1 },
  { name: "Ada", categoryId: 1, status: "pending" },
  { name: 'the "best" of all', categoryId: 1 },
  { name: "back\\slash, é, \u2028, \ud83d\ude00", categoryId: 1 },
  { name: "dogs" },
  { name: 'all "others"', description: "tab\tand line\n" },
  { petId: 1, quantity: 1 },
  { petId: 2 },
  { quantity: 3 },
  {}
)

type Body = Pick<Asked, "body" | "isJson">

const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 5, arbitrary: whole.map((value) => ({ body: JSON.stringify(value), isJson: true })) },
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(member, { selector: ([name]) => name, maxLength: 4 })
      .map((members) => ({
        body: `{${members.map(([name, value]) => ` ${JSON.stringify(name)} : ${JSON.stringify(value)}`).join(",\n")}}`,
        isJson: true
      }))
  },
  fc.constantFrom<Body>(
    { body: "[]", isJson: true },
    { body: '"Rex"', isJson: true },
    { body: "null", isJson: true },
    { body: '{"name":', isJson: false },
    { body: '{"name":"a","name":"b"}', isJson: false },
    { body: "{} {}", isJson: false },
    { body: undefined, isJson: false }
  )
)

const header = fc.record({
  "content-type": fc.oneof(
    { weight: 12, arbitrary: fc.constant("application/json") },
    fc.constantFrom(undefined, "text/plain")
  ),
  "if-none-match": fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    fc.constantFrom('"1-1"', '"2-1"')
  ),
  "if-match": fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    fc.constantFrom('"1-1"', '"2-2"', '"3-1"')
  )
})

const BODILESS = new Set(["GET", "HEAD"])

const request: fc.Arbitrary<Asked> = fc
  .record({ method, path, query, header, body })
  .map((parts): Asked => {
    const { "content-type": type, ...conditions } = parts.header
    const { body: sent, isJson } = BODILESS.has(parts.method)
      ? { body: undefined, isJson: false }
      : parts.body
    const headers = Object.entries({
      ...conditions,
      "content-type": sent === undefined ? undefined : type
    })
    return {
      method: parts.method,
      path: parts.path,
      query: parts.query,
      headers: Object.fromEntries(
        headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      ),
      body: sent,
      isJson
    }
  })

const requests = fc.array(request, { minLength: 1, maxLength: 30 })

/**
 * The initial records of every store, and a key: the same in each, because their seeds are the
 * same.
 */
const openShop = async (): Promise<{ readonly store: OpenPetStore; readonly key: string }> => {
  const store = await openTestStore({ now: NOON })
  const account = await store.accounts.create({ plan: "enterprise", ...LIMITS })
  const { key } = await store.keys.create(account.id)
  await store.categories.create({ name: "dogs" })
  for (const name of ["Rex", "rosa", "Ada"]) await store.pets.create({ name, categoryId: 1 })
  await store.inventory.set(2, { quantity: 5 })
  return { store, key }
}

/** Fields that belong to a connection, or to how a body travels on it. */
const OF_TRANSPORT = ["date", "connection", "keep-alive", "vary"]

const toldBy = async (response: Response): Promise<Told> => {
  const headers = Object.fromEntries(response.headers)
  for (const name of OF_TRANSPORT) delete headers[name]
  const text = await response.text()
  return {
    status: response.status,
    headers,
    body: response.body === null && text === "" ? null : text
  }
}

/** The part of an answer that is the same for both, where the words of a message are left open. */
const comparable = ({ status, headers, body }: Told, isOpen: boolean): unknown => {
  if (!isOpen) return { status, headers, body: body ?? "" }
  const { "content-length": _, ...others } = headers
  return { status, headers: others, body: body === null || body === "" ? "" : openingOf(body) }
}

const openingOf = (text: string): unknown => {
  const { code, message, status, ...others }: Record<string, unknown> = JSON.parse(text)
  return { code, status, hasMessage: typeof message === "string", ...others }
}

type Ask = (target: string, init: RequestInit) => Promise<Response>

/** Holds what `ask` answers against the plain service, request by request. */
const holdAgainstPlain = async (
  sequence: ReadonlyArray<Asked>,
  key: string,
  plain: OpenPetStore,
  ask: Ask
): Promise<void> => {
  const plainly = plainService(plain, LIMITS, Date.parse("2026-01-31T12:01:00Z") / 1_000, 40)
  for (const [nth, one] of sequence.entries()) {
    const asked = { ...one, headers: { ...one.headers, "x-request-id": `request-${nth}` } }
    const { method, path: where, query: narrowed, headers, body: sent } = asked
    const expected = await plainly(asked)
    const told = await toldBy(
      await ask(`${where}${narrowed === "" ? "" : `?${narrowed}`}`, {
        method,
        headers: { ...headers, "x-api-key": key, "accept-encoding": "identity" },
        ...(sent === undefined ? {} : { body: Buffer.from(sent) })
      })
    )
    const isOpen = expected.opening !== undefined
    expect(comparable(told, isOpen), JSON.stringify(asked)).toEqual(comparable(expected, isOpen))
  }
}

describe("any sequence of requests", () => {
  it("that makes an order with a date, and reads it, is answered so", async () => {
    const [{ store, key }, plain] = [await openShop(), await openShop()]
    const handle = toWebHandler(store)
    const body = '{"shipDate":"2026-02-03T04:05:06+01:00"}'
    const json = { "content-type": "application/json" }
    const sequence: ReadonlyArray<Asked> = [
      { method: "POST", path: "/store/orders", query: "", headers: json, body, isJson: true },
      {
        method: "GET",
        path: "/store/orders/1",
        query: "",
        headers: {},
        body: undefined,
        isJson: false
      },
      {
        method: "GET",
        path: "/store/orders",
        query: "",
        headers: {},
        body: undefined,
        isJson: false
      }
    ]
    await holdAgainstPlain(sequence, key, plain.store, (target, init) =>
      handle(new Request(`http://shop.test${target}`, init))
    )
    await Promise.all([store.close(), plain.store.close()])
  })

  it("is answered by the compiled service as by one that is written plainly", async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        const [{ store, key }, plain] = [await openShop(), await openShop()]
        const handle = toWebHandler(store)
        await holdAgainstPlain(sequence, key, plain.store, (target, init) =>
          handle(new Request(`http://shop.test${target}`, init))
        )
        await Promise.all([store.close(), plain.store.close()])
      }),
      { numRuns: 150 }
    )
  })

  it("is answered so over a connection, too", async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        const [{ store, key }, plain] = [await openShop(), await openShop()]
        const { url, close } = await serve(store, { port: 0 })
        await holdAgainstPlain(sequence, key, plain.store, (target, init) =>
          fetch(`${url}${target}`, init)
        )
        await close()
        await Promise.all([store.close(), plain.store.close()])
      }),
      { numRuns: 15 }
    )
  })
})
