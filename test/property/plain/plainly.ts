/**
 * The records' part of the service again, written as plainly as it can be: schemas decode and
 * encode, the Promise API does the work, and every field is spelt out. It is what the compiled
 * service is held against. It knows one caller, with room in its limits.
 */
import type { OpenPetStore } from "@petstore/core"
import { categories, get, inventory, orders, pets, type Row } from "@petstore/core/storage"
import type { Collection } from "@petstore/core/storage"
import {
  Category,
  CategoryPatch,
  InventoryItem,
  InventoryUpdate,
  NewCategory,
  NewOrder,
  NewPet,
  Order,
  OrderPatch,
  Pet,
  PetPatch
} from "@petstore/core/schema"
import { ERROR_STATUS, type ErrorCode } from "@petstore/http-adapter"
import { Effect, Either, Schema } from "effect"

export type Asked = {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Whether the body is what it says it is. */
  readonly isJson: boolean
}

/**
 * `body` is null where there is none; in one of an error that is about a value, the message is left
 * open.
 */
export type Told = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly opening?: { readonly code: string; readonly status: number }
}

type Verbs = Readonly<Record<string, (...input: ReadonlyArray<unknown>) => Promise<unknown>>>

type AnySchema = Schema.Schema<unknown, unknown>

type Resource = {
  readonly path: string
  readonly allow: readonly [all: string, one: string]
  readonly group: "pets" | "categories" | "orders" | "inventory"
  readonly collection: Collection<Row>
  readonly record: AnySchema
  /** Which verb of the group, and what it takes. */
  readonly all: Readonly<Record<string, readonly [verb: string, body?: AnySchema]>>
  readonly one: Readonly<Record<string, readonly [verb: string, body?: AnySchema]>>
  readonly filters: ReadonlyArray<string>
  readonly idName: "id" | "petId"
}

/** Schemas of different records, as this file sees them. */
const any = (schema: Schema.Schema.AnyNoContext): AnySchema => schema as AnySchema

const ALLOWED = ["GET, POST, HEAD, OPTIONS", "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"] as const

const RESOURCES: ReadonlyArray<Resource> = [
  {
    path: "/pets",
    allow: ALLOWED,
    group: "pets",
    collection: pets,
    record: any(Pet),
    all: { GET: ["list"], POST: ["create", any(NewPet)] },
    one: {
      GET: ["get"],
      PUT: ["replace", any(NewPet)],
      PATCH: ["update", any(PetPatch)],
      DELETE: ["remove"]
    },
    filters: ["id*", "status*", "categoryId", "name"],
    idName: "id"
  },
  {
    path: "/categories",
    allow: ALLOWED,
    group: "categories",
    collection: categories,
    record: any(Category),
    all: { GET: ["list"], POST: ["create", any(NewCategory)] },
    one: {
      GET: ["get"],
      PUT: ["replace", any(NewCategory)],
      PATCH: ["update", any(CategoryPatch)],
      DELETE: ["remove"]
    },
    filters: ["id*", "name"],
    idName: "id"
  },
  {
    path: "/store/orders",
    allow: ALLOWED,
    group: "orders",
    collection: orders,
    record: any(Order),
    all: { GET: ["list"], POST: ["place", any(NewOrder)] },
    one: {
      GET: ["get"],
      PUT: ["replace", any(NewOrder)],
      PATCH: ["update", any(OrderPatch)],
      DELETE: ["cancel"]
    },
    filters: ["petId", "complete", "shipDateFrom", "shipDateTo"],
    idName: "id"
  },
  {
    path: "/store/inventory",
    allow: ["GET, HEAD, OPTIONS", "GET, PUT, HEAD, OPTIONS"],
    group: "inventory",
    collection: inventory,
    record: any(InventoryItem),
    all: { GET: ["list"] },
    one: { GET: ["get"], PUT: ["set", any(InventoryUpdate)] },
    filters: ["status*"],
    idName: "petId"
  }
]

const PAGING = ["sort", "limit", "cursor", "total"]
const WHOLE_NUMBERS = new Set(["id", "categoryId", "petId", "limit"])
const BOOLEANS = new Set(["complete", "total"])

const digits = (text: string): bigint | undefined =>
  /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) < 2n ** 63n ? BigInt(text) : undefined

/** A value of a parameter, or undefined for a text that is none. */
const valueOf = (name: string, text: string): unknown => {
  if (text === "") return undefined
  if (WHOLE_NUMBERS.has(name)) return digits(text) === undefined ? undefined : Number(text)
  if (BOOLEANS.has(name)) return { true: true, false: false }[text]
  return text
}

/** The values of a query, or the code it is refused with. */
const readQuery = (
  query: string,
  filters: ReadonlyArray<string>
): Record<string, unknown> | ErrorCode => {
  const values: Record<string, unknown> = {}
  for (const [name, text] of new URLSearchParams(query)) {
    const many = filters.includes(`${name}*`)
    if (!many && ![...filters, ...PAGING].includes(name)) return "unknown_parameter"
    const value = valueOf(name, text)
    if (value === undefined) return "invalid_parameter"
    if (many) values[name] = [...((values[name] ?? []) as ReadonlyArray<unknown>), value]
    else if (name in values) return "invalid_parameter"
    else values[name] = value
  }
  return values
}

const linked = (path: string, query: string, cursor?: string): string => {
  const pairs = [...new URLSearchParams(query)].filter(([name]) => name !== "cursor")
  if (cursor !== undefined) pairs.push(["cursor", cursor])
  const text = pairs.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  )
  return `<${path}${text.length === 0 ? "" : `?${text.join("&")}`}>; rel="${cursor === undefined ? "first" : "next"}"`
}

const DOCS = '</docs>; rel="deprecation"; type="text/html", </docs>; rel="sunset"; type="text/html"'

/**
 * Of the one operation that is deprecated; where it is not known which pet is meant, the link is to
 * the list.
 */
const deprecated = (id: number | undefined) => ({
  deprecation: "@1796083200",
  sunset: "Wed, 01 Dec 2027 00:00:00 GMT",
  link: `</pets${id === undefined ? "" : `?id=${id}`}>; rel="successor-version", ${DOCS}`
})

export type Limits = { readonly perMinute: number; readonly perDay: number }

/** Answers requests one after the other, all within one minute, which has `secondsLeft`. */
export const plainService = (
  store: OpenPetStore,
  { perMinute, perDay }: Limits,
  resetSeconds: number,
  secondsLeft: number
) => {
  let used = 0

  const common = () => ({
    "x-ratelimit-limit": String(perMinute),
    "x-ratelimit-remaining": String(perMinute - used),
    "x-ratelimit-reset": String(resetSeconds),
    "ratelimit-policy": `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`,
    ratelimit: `"minute";r=${perMinute - used};t=${secondsLeft}`,
    "x-api-version": "1.0.0"
  })

  const revisionOf = async (collection: Collection<Row>, id: number): Promise<number> => {
    const row = await Effect.runPromise(store.engine.storage.read(() => get(collection, id)))
    if (row === undefined) throw new Error(`there is no ${collection.name} ${id}`)
    return row.revision
  }

  return async (asked: Asked): Promise<Told> => {
    used++
    const { method, path, query, headers: sent } = asked
    const resource = RESOURCES.find(
      (each) => path === each.path || path.startsWith(`${each.path}/`)
    )
    const rest = resource === undefined ? "" : path.slice(resource.path.length)
    const isOne = /^\/[^/]+$/.test(rest)
    const known = resource !== undefined && (rest === "" || isOne)
    const operation = known
      ? resource[isOne ? "one" : "all"][method === "HEAD" ? "GET" : method]
      : undefined
    const isDeprecated =
      operation !== undefined && resource?.group === "pets" && operation[0] === "get"
    let id: number | undefined

    const told = (status: number, body: string | null, own: Record<string, string> = {}): Told => ({
      status,
      body: method === "HEAD" ? "" : body,
      headers: {
        ...common(),
        "cache-control": status < 400 ? "private, no-cache" : "no-store",
        "x-request-id": sent["x-request-id"] ?? "",
        ...(body === null
          ? {}
          : {
              "content-type": "application/json",
              "content-length": String(Buffer.byteLength(body))
            }),
        ...(operation?.[0] === "update" ? { "x-stability": "beta" } : {}),
        ...(isDeprecated ? deprecated(id) : {}),
        ...own
      }
    })
    const refused = (code: ErrorCode, message: string, own: Record<string, string> = {}): Told =>
      told(ERROR_STATUS[code], JSON.stringify({ code, message, status: ERROR_STATUS[code] }), own)
    /** The message is about a value, in words of the compiled readers' own. */
    const refusedValue = (code: ErrorCode): Told => ({
      ...refused(code, ""),
      opening: { code, status: ERROR_STATUS[code] }
    })

    if (!known)
      return refused(
        "route_not_found",
        "there is nothing at this path: paths are case-sensitive and have no trailing slash"
      )
    if (operation === undefined) {
      const allow = resource.allow[isOne ? 1 : 0]
      return {
        ...refusedValue("method_not_allowed"),
        headers: { ...refusedValue("method_not_allowed").headers, allow }
      }
    }
    const [verb, bodySchema] = operation
    if (isOne) {
      const number = digits(decodeURIComponent(rest.slice(1)))
      if (number === undefined || number === 0n) return refusedValue("invalid_parameter")
      if (number > BigInt(Number.MAX_SAFE_INTEGER)) return refusedValue("not_found")
      id = Number(number)
    }
    const values =
      verb === "list" ? readQuery(query, resource.filters) : query === "" ? {} : "unknown_parameter"
    if (typeof values === "string") return refusedValue(values)

    let input: unknown
    if (bodySchema !== undefined) {
      const type = sent["content-type"]
      if (asked.body !== undefined && type !== "application/json")
        return refusedValue("unsupported_media_type")
      if (asked.body === undefined || !asked.isJson) return refusedValue("invalid_json")
      input = JSON.parse(asked.body)
      const named =
        resource.idName === "id" &&
        id !== undefined &&
        typeof input === "object" &&
        input !== null &&
        !Array.isArray(input)
      if (named && "id" in (input as object)) {
        const { id: own, ...others } = input as { readonly id?: unknown }
        if (own !== id) return refusedValue("validation_failed")
        input = others
      }
      const decoded = Schema.decodeUnknownEither(bodySchema, { onExcessProperty: "error" })(input)
      if (Either.isLeft(decoded)) return refusedValue("validation_failed")
    }

    const ifMatch =
      method === "GET" || method === "HEAD" || id === undefined ? undefined : sent["if-match"]
    const condition =
      ifMatch === undefined
        ? {}
        : {
            ifRevision: ifMatch.startsWith(`"${id}-`)
              ? [Number(ifMatch.slice(String(id).length + 2, -1))]
              : []
          }
    const arguments_ =
      verb === "list"
        ? [values]
        : [
            ...(id === undefined ? [] : [id]),
            ...(bodySchema === undefined ? [] : [input]),
            ...(id === undefined || verb === "get" ? [] : [condition])
          ]

    const verbs = store[resource.group] as unknown as Verbs
    const before =
      verb === "set" && id !== undefined
        ? await Effect.runPromise(store.engine.storage.read(() => get(inventory, id ?? 0)))
        : undefined
    let answer: unknown
    try {
      answer = await verbs[verb]?.(...arguments_)
    } catch (error) {
      const { code, message } = error as { readonly code: ErrorCode; readonly message: string }
      return code === "invalid_parameter" || code === "validation_failed"
        ? refusedValue(code)
        : refused(code, message)
    }

    // The store answers with instants as texts, as they are written: the schema's encoded side.
    const text = (record: unknown) =>
      JSON.stringify(
        Schema.encodeSync(resource.record)(Schema.decodeUnknownSync(resource.record)(record))
      )
    if (answer === undefined) return told(204, null)
    if (verb === "list") {
      const { items, next, total } = answer as {
        readonly items: ReadonlyArray<unknown>
        readonly next?: string
        readonly total?: number
      }
      const first = linked(path, query)
      return told(200, `[${items.map(text).join(",")}]`, {
        link: next === undefined ? first : `${first}, ${linked(path, query, next)}`,
        ...(total === undefined ? {} : { "x-total-count": String(total) })
      })
    }
    const { [resource.idName]: stored } = answer as Readonly<Record<string, number>>
    const storedId = stored ?? 0
    const etag = `"${storedId}-${await revisionOf(resource.collection, storedId)}"`
    if (method === "GET" || method === "HEAD") {
      const ifNoneMatch = sent["if-none-match"]
      if (ifNoneMatch === "*" || ifNoneMatch === etag) return told(304, null, { etag })
      return told(200, text(answer), { etag })
    }
    const isNew = verb === "create" || verb === "place" || (verb === "set" && before === undefined)
    return told(isNew ? 201 : 200, text(answer), {
      etag,
      ...(isNew ? { location: `${resource.path}/${storedId}` } : {})
    })
  }
}
