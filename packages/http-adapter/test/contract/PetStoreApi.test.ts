import * as HttpApi from "@effect/platform/HttpApi"
import { Context, Option } from "effect"
import { describe, expect, it } from "vitest"
import { ERROR_STATUS, ErrorCodes, Lifecycle, PetStoreApi, Stability } from "../../src/index.js"

type Declared = {
  readonly operation: string
  readonly statuses: ReadonlyArray<number>
  readonly annotations: Context.Context<never>
}

const declared = (): ReadonlyMap<string, Declared> => {
  const found = new Map<string, Declared>()
  HttpApi.reflect(PetStoreApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, errors, successes, mergedAnnotations }) => {
      found.set(endpoint.name, {
        operation: `${endpoint.method} ${endpoint.path}`,
        statuses: [...successes.keys(), ...errors.keys()],
        annotations: mergedAnnotations
      })
    }
  })
  return found
}

describe("PetStoreApi", () => {
  it("has every operation of the design", () => {
    expect([...declared().values()].map(({ operation }) => operation)).toEqual([
      "GET /pets",
      "POST /pets",
      "GET /pets/:petId",
      "PUT /pets/:petId",
      "PATCH /pets/:petId",
      "DELETE /pets/:petId",
      "GET /categories",
      "POST /categories",
      "GET /categories/:categoryId",
      "PUT /categories/:categoryId",
      "PATCH /categories/:categoryId",
      "DELETE /categories/:categoryId",
      "GET /store/orders",
      "POST /store/orders",
      "GET /store/orders/:orderId",
      "PUT /store/orders/:orderId",
      "PATCH /store/orders/:orderId",
      "DELETE /store/orders/:orderId",
      "GET /store/inventory",
      "GET /store/inventory/:petId",
      "PUT /store/inventory/:petId",
      "GET /events"
    ])
  })

  it("declares a status for each code that an operation can answer", () => {
    for (const { operation, statuses, annotations } of declared().values()) {
      const codes = Option.getOrThrow(Context.getOption(annotations, ErrorCodes))
      for (const code of codes)
        expect(statuses, `${operation} ${code}`).toContain(ERROR_STATUS[code])
    }
  })

  it("marks every PATCH as beta, the stream of events as experimental, and only GET /pets/{petId} as deprecated", () => {
    const all = [...declared().values()]
    const beta = all.filter(({ annotations }) =>
      Option.contains("beta")(Context.getOption(annotations, Stability))
    )
    const deprecated = all.filter(({ annotations }) =>
      Option.isSome(Context.getOption(annotations, Lifecycle))
    )
    expect(beta.map(({ operation }) => operation.split(" ")[0])).toEqual([
      "PATCH",
      "PATCH",
      "PATCH"
    ])
    const experimental = all.filter(({ annotations }) =>
      Option.contains("experimental")(Context.getOption(annotations, Stability))
    )
    expect(experimental.map(({ operation }) => operation)).toEqual(["GET /events"])
    expect(deprecated.map(({ operation }) => operation)).toEqual(["GET /pets/:petId"])
  })
})
