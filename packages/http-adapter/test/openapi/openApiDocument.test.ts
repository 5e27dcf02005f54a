import { describe, expect, it } from "vitest"
import {
  ERROR_STATUS,
  type OperationObject,
  openApiDocument,
  openApiText
} from "../../src/index.js"

const document = openApiDocument()

const operations = (): ReadonlyArray<readonly [name: string, operation: OperationObject]> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const
    )
  )

const operation = (name: string): OperationObject => {
  const found = operations().find(([each]) => each === name)?.[1]
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

/** A response of an operation, looked up where it is shared. */
const response = (name: string, status: number) => {
  const found = operation(name).responses[status]
  if (found === undefined || !("$ref" in found)) return found
  return document.components.responses[found.$ref.split("/").at(-1) ?? ""]
}

describe("the OpenAPI document", () => {
  it("is 3.0.3, and of version 1.0.0", () => {
    expect(document.openapi).toBe("3.0.3")
    expect(document.info.version).toBe("1.0.0")
  })

  it("names its components as the specification does, and adds what requests and RFC 9457 need", () => {
    expect(Object.keys(document.components.schemas)).toEqual([
      "Category",
      "CategoryPatch",
      "Error",
      "Event",
      "InventoryItem",
      "InventoryUpdate",
      "NewCategory",
      "NewOrder",
      "NewPet",
      "Order",
      "OrderPatch",
      "Pet",
      "PetPatch",
      "PetStatus",
      "Pets",
      "Problem"
    ])
  })

  it("says of each record what the specification says, and the bounds we add", () => {
    const { NewPet, Pet, Order, InventoryItem, PetStatus, Pets } = document.components.schemas
    expect(PetStatus).toMatchObject({ type: "string", enum: ["available", "pending", "sold"] })
    expect(NewPet).toMatchObject({
      type: "object",
      required: ["name", "categoryId"],
      additionalProperties: false,
      properties: {
        name: { type: "string", minLength: 1, maxLength: 200 },
        categoryId: { type: "integer", format: "int64", minimum: 1 },
        status: { $ref: "#/components/schemas/PetStatus" }
      }
    })
    expect(Pet).toMatchObject({ required: ["id", "name", "categoryId", "status"] })
    expect(Pets).toMatchObject({ type: "array", items: { $ref: "#/components/schemas/Pet" } })
    expect(Order).not.toHaveProperty("required")
    expect(Order).toMatchObject({
      properties: { shipDate: { type: "string", format: "date-time" } }
    })
    expect(InventoryItem).toMatchObject({ required: ["petId", "quantity", "status"] })
  })

  it("marks what is deprecated or not stable", () => {
    expect(operation("GET /pets/{petId}")).toMatchObject({
      deprecated: true,
      "x-sunset": "2027-12-01"
    })
    const deprecated = operations().filter(([, each]) => each.deprecated)
    expect(deprecated.map(([name]) => name)).toEqual(["GET /pets/{petId}"])
    const unstable = operations().filter(([, each]) => each["x-stability"] !== undefined)
    expect(
      unstable.map(([name, each]) => `${name} ${each["x-stability"]} ${each["x-stability-level"]}`)
    ).toEqual([
      "PATCH /pets/{petId} beta beta",
      "PATCH /categories/{categoryId} beta beta",
      "PATCH /store/orders/{orderId} beta beta",
      "GET /events experimental alpha"
    ])
  })

  it("lists for each status exactly the codes that have it", () => {
    const codesOf = (name: string, status: number): unknown => {
      const schema: unknown = response(name, status)?.content?.["application/json"]?.schema
      return JSON.stringify(schema)
    }
    expect(codesOf("POST /store/orders", 409)).toContain('"enum":["insufficient_stock"]')
    expect(codesOf("GET /pets/{petId}", 410)).toContain('"enum":["sunset"]')
    for (const [name, each] of operations()) {
      for (const status of Object.keys(each.responses)
        .map(Number)
        .filter((status) => status >= 400)) {
        const codes =
          /"code":\{"type":"string","enum":(\[[^\]]*\])/.exec(String(codesOf(name, status)))?.[1] ??
          "[]"
        const listed: ReadonlyArray<keyof typeof ERROR_STATUS> = JSON.parse(codes)
        expect(listed.length, `${name} ${status}`).toBeGreaterThan(0)
        for (const code of listed) expect(ERROR_STATUS[code], `${name} ${status}`).toBe(status)
      }
    }
  })

  it("declares the three limit fields, required, on every response of an operation", () => {
    for (const [name, each] of operations()) {
      for (const status of Object.keys(each.responses).map(Number)) {
        const headers = Object.keys(response(name, status)?.headers ?? {})
        expect(headers, `${name} ${status}`).toEqual(
          expect.arrayContaining([
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset"
          ])
        )
      }
    }
  })

  it("follows the options of the service: base path and dates", () => {
    const lifecycle = { deprecatedMs: 0, sunsetMs: 86_400_000, successor: "/pets", docs: "/docs" }
    const other = openApiDocument({
      basePath: "/v1",
      lifecycles: { getPet: undefined, listPets: lifecycle }
    })
    expect(other.servers[0]?.url).toBe("/v1")
    expect(other.paths["/pets/{petId}"]?.["get"]).not.toHaveProperty("deprecated")
    expect(other.paths["/pets"]?.["get"]).toMatchObject({
      deprecated: true,
      "x-sunset": "1970-01-02"
    })
    expect(Object.keys(other.paths["/pets"]?.["get"]?.responses ?? {})).toContain("410")
  })

  it("writes the largest int64 out, which JavaScript can't hold", () => {
    const text = openApiText(document)
    expect(text).toContain('"maximum":9223372036854775807')
    expect(text).not.toContain("9223372036854776000")
    expect(openApiText(document, 2)).toContain('"maximum": 9223372036854775807')
  })

  it("is the same each time", () =>
    expect(openApiText(openApiDocument())).toBe(openApiText(document)))
})
