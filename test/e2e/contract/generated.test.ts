/**
 * Calls made from the document alone, seeded: valid ones must be taken or refused for what a schema
 * can't say, invalid ones must be refused, and every response must be one of the document's.
 */
import { type OpenApiDocument, type OperationObject, openApiDocument } from "@petstore/http-adapter"
import { FastCheck as fc } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { documentCheck, type Received } from "./DocumentCheck.js"
import { makeSampler } from "./Sampler.js"
import { type Call, type ServedShop, servedShop } from "./ServedShop.js"

const document = openApiDocument()
const check = documentCheck(document)
const sampler = makeSampler(document)

/** Calls of each kind to each operation; more with the environment's say. */
const RUNS = Number(process.env["CONTRACT_RUNS"] ?? 40)
const SEED = Number(process.env["CONTRACT_SEED"] ?? 5)

type Parameter = OpenApiDocument["components"]["parameters"][string]

const parametersOf = (operation: OperationObject): ReadonlyArray<Parameter> =>
  operation.parameters.flatMap((parameter) => {
    const found =
      "$ref" in parameter
        ? document.components.parameters[parameter.$ref.split("/").at(-1) ?? ""]
        : parameter
    return found === undefined ? [] : [found]
  })

const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    parameters: parametersOf(operation),
    bodies: Object.entries(operation.requestBody?.content ?? {})
  }))
)

type Operation = (typeof OPERATIONS)[number]

/**
 * The values of a call, before they are written down: parameters by place and name, and the body.
 */
type Values = {
  readonly parameters: ReadonlyArray<readonly [parameter: Parameter, value: unknown]>
  readonly body: readonly [type: string, value: unknown] | undefined
}

const LATIN = /^[\x20-\x7e]*$/

const writeText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

const callOf = ({ method, path }: Operation, { parameters, body }: Values): Call => {
  let target = path
  const query: Array<string> = []
  const headers: Record<string, string> = {}
  for (const [{ name, in: place }, value] of parameters) {
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(writeText(value)))
    else if (place === "header") headers[name] = writeText(value)
    else
      for (const each of Array.isArray(value) ? value : [value])
        query.push(`${name}=${encodeURIComponent(writeText(each))}`)
  }
  if (body !== undefined) headers["content-type"] = body[0]
  return {
    method,
    target: query.length === 0 ? target : `${target}?${query.join("&")}`,
    headers,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body[1]).replace(/1e\+30/g, `1${"0".repeat(30)}`) })
  }
}

const validValues = ({ parameters, bodies }: Operation): fc.Arbitrary<Values> =>
  fc.record({
    parameters: fc
      .tuple(
        ...parameters.map((parameter) => {
          const value = sampler.valid(parameter.schema).map((each) => [parameter, each] as const)
          const fits =
            parameter.in === "header" ? value.filter(([, text]) => LATIN.test(String(text))) : value
          return parameter.required ? fits : fc.option(fits, { nil: undefined, freq: 1 })
        })
      )
      .map((pairs) => pairs.filter((pair) => pair !== undefined)),
    body:
      bodies.length === 0
        ? fc.constant(undefined)
        : fc.oneof(
            ...bodies.map(([type, { schema }]) =>
              sampler.valid(schema).map((value) => [type, value] as const)
            )
          )
  })

type Broken = { readonly how: string; readonly values: Values }

/** Valid values with one of them made invalid. */
const invalidValues = (operation: Operation): fc.Arbitrary<Broken> | undefined => {
  const ways: Array<fc.Arbitrary<Broken>> = []
  for (const parameter of operation.parameters) {
    const wrong = sampler.invalid(parameter.schema)?.filter(
      // On the wire everything is text: what reads as a valid one is one.
      ({ value }) => !readsAsValid(parameter, value)
    )
    if (wrong === undefined || isFree(parameter)) continue
    ways.push(
      fc.tuple(validValues(operation), wrong).map(([values, { how, value }]) => ({
        how: `${parameter.name} ${how}`,
        values: {
          ...values,
          parameters: [
            ...values.parameters.filter(([each]) => each !== parameter),
            [parameter, value]
          ]
        }
      }))
    )
  }
  for (const [type, { schema }] of operation.bodies) {
    const wrong = sampler.invalid(schema)
    if (wrong === undefined) continue
    ways.push(
      fc.tuple(validValues(operation), wrong).map(([values, { how, value }]) => ({
        how: `body: ${how}`,
        values: { ...values, body: [type, value] as const }
      }))
    )
  }
  return ways.length === 0 ? undefined : fc.oneof(...ways)
}

/** Whether whatever is written is taken, or left, as header fields without a pattern are. */
const isFree = ({ in: place, schema }: Parameter): boolean => {
  if ("pattern" in schema) return false
  const isText =
    "type" in schema && schema.type === "string" && !("enum" in schema || "format" in schema)
  return place === "header" || isText
}

const readsAsValid = ({ in: place, schema }: Parameter, value: unknown): boolean => {
  if (Array.isArray(value))
    return (
      value.length === 0 ||
      (value.length === 1 && readsAsValid({ in: place, schema } as Parameter, value[0]))
    )
  const text = writeText(value)
  // A path without a parameter is another path, and header fields lose the blanks around them.
  if (place === "path" && (text === "" || text === "." || text === "..")) return true
  if (place === "header") return !LATIN.test(text) || check.isValid(schema, text.trim())
  const item = "items" in schema && schema.items !== undefined ? schema.items : schema
  const read = /^(0|[1-9]\d*)$/.test(text)
    ? Number(text)
    : text === "true" || text === "false"
      ? text === "true"
      : text
  return [text, read].some((each) => check.isValid(item, each))
}

const codeOf = ({ text }: Received): string => {
  const { code }: { readonly code?: string } = JSON.parse(text)
  return code ?? ""
}

/**
 * Refusals of good data, for what OpenAPI 3.0 can't say: what is stored, and how two parameters go
 * together.
 */
const BEYOND_SCHEMAS = new Set([
  "not_found",
  "unknown_category",
  "unknown_pet",
  "precondition_failed",
  "insufficient_stock",
  "stock_limit_exceeded",
  "status_follows_stock",
  "order_completed",
  "category_in_use",
  "pet_in_use"
])

const isCursorOrSort = (received: Received): boolean =>
  /"(cursor|sort): expected/.test(received.text)

let shop: ServedShop

beforeEach(async () => {
  shop = await servedShop({ serve: { experimental: true } })
})

afterEach(() => shop.close())

/**
 * Records with small ids, so that generated ids name some: with and without stock, held by orders
 * and free, used and not.
 */
const stock = async () => {
  const { categories, pets, inventory, orders } = shop.store
  for (let n = 1; n <= 12; n++) await categories.create({ name: `Kind ${n}` })
  for (let n = 1; n <= 12; n++) {
    const { id } = await pets.create({ name: `Animal ${n}`, categoryId: 6 + Math.ceil(n / 2) })
    if (n % 3 === 0) await inventory.set(id, { quantity: 40 })
    await orders.place(n % 4 === 0 ? { petId: id } : {})
  }
}

const sample = <A>(arbitrary: fc.Arbitrary<A>): ReadonlyArray<A> =>
  fc.sample(arbitrary, { numRuns: RUNS, seed: SEED })

describe("calls made from the document", () => {
  it.each(OPERATIONS.map((each) => [each.name, each] as const))(
    "%s takes what the document allows",
    async (_, operation) => {
      await stock()
      let taken = 0
      for (const values of sample(validValues(operation))) {
        const call = callOf(operation, values)
        const received = await shop.send(call)
        const story = `${JSON.stringify(call)} → ${received.status} ${received.text.slice(0, 300)}`
        expect(check.faults(operation.method, operation.path, received), story).toEqual([])
        if (received.status < 400) taken++
        else
          expect(BEYOND_SCHEMAS.has(codeOf(received)) || isCursorOrSort(received), story).toBe(true)
      }
      expect(taken).toBeGreaterThan(0)
    }
  )

  it.each(OPERATIONS.map((each) => [each.name, each] as const))(
    "%s refuses what the document does not",
    async (_, operation) => {
      const broken = invalidValues(operation)
      expect(broken).toBeDefined()
      if (broken === undefined) return
      for (const { how, values } of sample(broken)) {
        const call = callOf(operation, values)
        const received = await shop.send(call)
        const story = `${how}: ${JSON.stringify(call).slice(0, 400)} → ${received.status} ${received.text.slice(0, 300)}`
        expect(check.faults(operation.method, operation.path, received), story).toEqual([])
        expect([400, 404, 422], story).toContain(received.status)
      }
    }
  )

  it("a new record is where Location says, and every link from it leads to an operation on it", async () => {
    await stock()
    for (const operation of OPERATIONS.filter(
      ({ operation: { responses } }) => responses["201"] !== undefined
    )) {
      for (const values of sample(validValues(operation)).slice(0, 10)) {
        const made = await shop.send(
          callOf(operation, {
            ...values,
            parameters: values.parameters.filter(([{ in: place }]) => place === "path")
          })
        )
        if (made.status !== 201) continue
        const there = await shop.send({ method: "GET", target: made.headers.get("location") ?? "" })
        expect([there.status, there.text, there.headers.get("etag")]).toEqual([
          200,
          made.text,
          made.headers.get("etag")
        ])
        const response = operation.operation.responses["201"]
        const links = response !== undefined && "links" in response ? (response.links ?? {}) : {}
        expect(Object.keys(links).length).toBeGreaterThan(0)
        await followLinks(made, links)
      }
    }
  })

  it("what was deleted is gone", async () => {
    for (const operation of OPERATIONS.filter(({ method }) => method === "DELETE")) {
      await stock()
      const { text } = await shop.send({
        method: "GET",
        target: operation.path.replace(/\/\{.*$/, "?limit=100&sort=-id")
      })
      const records: ReadonlyArray<{ readonly id: number }> = JSON.parse(text)
      const statuses = []
      for (const { id } of records.slice(0, 8)) {
        const target = operation.path.replace(/\{\w+\}/, String(id))
        const { status } = await shop.send({ method: "DELETE", target })
        if (status !== 204) continue
        statuses.push(
          (await shop.send({ method: "GET", target })).status,
          (await shop.send({ method: "DELETE", target })).status
        )
      }
      expect(new Set(statuses)).toEqual(new Set([404]))
    }
  })

  it("pages follow each other by their links, and have each record once", async () => {
    await stock()
    for (const operation of OPERATIONS.filter(({ parameters }) =>
      parameters.some(({ name }) => name === "cursor")
    )) {
      const key = operation.path === "/store/inventory" ? "petId" : "id"
      const { text, headers } = await shop.send({
        method: "GET",
        target: `${operation.path}?limit=100&total=true`
      })
      const seen: Array<unknown> = []
      let target: string | undefined = `${operation.path}?limit=7`
      while (target !== undefined) {
        const page = await shop.send({ method: "GET", target })
        expect(check.faults("GET", operation.path, page)).toEqual([])
        const records: ReadonlyArray<Readonly<Record<string, unknown>>> = JSON.parse(page.text)
        seen.push(...records.map((record) => record[key]))
        target = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1]
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(String(seen.length)).toBe(headers.get("x-total-count"))
      expect(text.startsWith("[")).toBe(true)
    }
  })
})

describe("a document that says something else than the service", () => {
  it("is found out by calls made from it", async () => {
    const { NewCategory } = document.components.schemas
    const loose = JSON.parse(
      JSON.stringify(NewCategory).replace('"maxLength":200', '"maxLength":500')
    )
    const strict = JSON.parse(
      JSON.stringify(NewCategory).replace('"maxLength":2000', '"maxLength":20')
    )
    const answers = async (bodies: ReadonlyArray<unknown>) => {
      const sent = bodies.map((body) =>
        shop.send({
          method: "POST",
          target: "/categories",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body)
        })
      )
      return (await Promise.all(sent)).map(({ status }) => status)
    }
    expect(await answers(sample(sampler.valid(loose)))).toContain(422)
    const refused = sampler.invalid(strict)
    expect(
      await answers(refused === undefined ? [] : sample(refused).map(({ value }) => value))
    ).toContain(201)
  })
})

const followLinks = async (
  made: Received,
  links: Readonly<
    Record<
      string,
      { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }
    >
  >
) => {
  const record: Readonly<Record<string, unknown>> = JSON.parse(made.text)
  const deletesLast = Object.values(links).sort(
    (left, right) =>
      Number(/^(delete|cancel)/.test(left.operationId)) -
      Number(/^(delete|cancel)/.test(right.operationId))
  )
  for (const { operationId, parameters } of deletesLast) {
    const next = OPERATIONS.find(({ operation }) => operation.operationId === operationId)
    if (next === undefined) throw new Error(`no operation ${operationId}`)
    const [values] = fc.sample(validValues(next), { numRuns: 1, seed: SEED })
    if (values === undefined) throw new Error("no values")
    const linked = next.parameters
      .filter(({ in: place }) => place === "path")
      .map(
        (parameter) =>
          [parameter, record[parameters[parameter.name]?.split("/").at(-1) ?? ""]] as const
      )
    const received = await shop.send(callOf(next, { ...values, parameters: linked }))
    expect(check.faults(next.method, next.path, received), operationId).toEqual([])
    if (received.status >= 400) expect(BEYOND_SCHEMAS).toContain(codeOf(received))
  }
}
