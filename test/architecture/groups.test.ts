/**
 * Every group of the shop is served, described, in both clients and in the feed, and has a schema
 * of its records, or is on the list of those that are deliberately not.
 */
import { FetchHttpClient } from "@effect/platform"
import { PetStore } from "@petstore/core"
import { RECORD_GROUPS, RECORD_TYPES } from "@petstore/core/adapter"
import * as schemas from "@petstore/core/schema"
import { openApiDocument, PetStoreApi } from "@petstore/http-adapter"
import { petStoreClient } from "@petstore/http-adapter/client"
import { petStoreEffectClient } from "@petstore/http-adapter/effect-client"
import { MemoryStorage } from "@petstore/storage-memory"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { handlersOf } from "../../packages/http-adapter/src/compile/handlers.js"
import { ROUTES } from "../../packages/http-adapter/src/contract/routes.js"

/** What hosts do for callers, and callers do not do themselves. */
const ONLY_FOR_HOSTS = ["accounts", "keys", "deprecatedCalls", "webhooks"]

const store = await PetStore.open({ storage: MemoryStorage.layer })

const shopGroups = Object.keys(store.engine.shop)

const endpoints = Object.values(PetStoreApi.groups).flatMap((group) =>
  Object.values(group.endpoints).map(({ name }) => ({ group: group.identifier, name }))
)

/** The groups that have an operation in the contract, and each of those operations in a list. */
const groupsWithAll = (operations: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(PetStoreApi.groups).filter((group) =>
    endpoints.every((endpoint) => endpoint.group !== group || operations.includes(endpoint.name))
  )

const document = openApiDocument()

const described = Object.values(document.paths).flatMap((path) =>
  Object.values(path).map(({ operationId }) => operationId)
)

const eventText = JSON.stringify(document.components.schemas["Event"])

const promiseClient = petStoreClient({
  transport: () => Promise.reject(new Error("no call is made")),
  key: "k"
})

const effectClient = Effect.runSync(
  Effect.provide(
    petStoreEffectClient({ baseUrl: "http://127.0.0.1", key: "k" }),
    FetchHttpClient.layer
  )
)

/**
 * Where a group has to be, and the groups that are there. The collection of a group has its name.
 */
const PLACES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "the contract (http-adapter/src/contract/PetStoreApi.ts)": Object.keys(PetStoreApi.groups),
  "the routes (http-adapter/src/contract/routes.ts)": Object.keys(ROUTES),
  "the handlers (http-adapter/src/compile/handlers.ts)": groupsWithAll(
    Object.keys(handlersOf(store.engine.shop))
  ),
  "the OpenAPI document (http-adapter/src/openapi)": groupsWithAll(described),
  "the client (http-adapter/src/client/petStoreClient.ts)": Object.keys(promiseClient),
  "the Effect client (http-adapter/src/client/effectClient.ts)": Object.keys(effectClient),
  "the record types (core/src/shop/records.ts)": RECORD_TYPES.map(
    ({ collection }) => collection.name
  ),
  "the schemas (core/src/schema/index.ts)": RECORD_TYPES.filter(({ struct }) =>
    Object.hasOwn(schemas, struct.identifier)
  ).map(({ collection }) => collection.name),
  "the schema Event (http-adapter/src/contract/events.ts)": RECORD_TYPES.filter(({ struct }) =>
    eventText.includes(`"#/components/schemas/${struct.identifier}"`)
  ).map(({ collection }) => collection.name)
}

const missing = (groups: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.entries(PLACES).flatMap(([place, present]) =>
    groups.filter((group) => !present.includes(group)).map((group) => `${place} lacks ${group}`)
  )

test("every group of the shop is served, described, in both clients and in the feed", () => {
  const served = shopGroups.filter((group) => !ONLY_FOR_HOSTS.includes(group))
  expect(served.length).toBeGreaterThan(3)
  expect(missing(served)).toEqual([])
})

test("the groups of records are all groups but those for hosts, so what lists them lacks none", () => {
  const records = shopGroups.filter((group) => !ONLY_FOR_HOSTS.includes(group))
  expect(RECORD_GROUPS.toSorted()).toEqual(records.toSorted())
})

test("a group that is nowhere is reported with each place that lacks it", () => {
  expect(missing(["branches"])).toEqual(
    Object.keys(PLACES).map((place) => `${place} lacks branches`)
  )
})

test("the groups for hosts alone are groups of the shop, and in none of these places", () => {
  for (const group of ONLY_FOR_HOSTS) {
    expect(shopGroups).toContain(group)
    expect(missing([group])).toHaveLength(Object.keys(PLACES).length)
  }
})
