/** No client follows a redirect: the key would be sent along, and a POST would become a GET. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Effect, Stream } from "effect"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { petStoreEffectClient } from "../../src/client/effectClient.js"
import {
  fetchTransport,
  petStoreClient,
  UnexpectedAnswer,
  webTransport
} from "../../src/client/index.js"

const listen = async (answer: RequestListener) => {
  const seen: Array<IncomingMessage> = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { url: `http://127.0.0.1:${address.port}`, seen }
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ resolvedWith: value }),
    (failure: unknown) => failure
  )

/** Answers as a pet store might, so that a client that follows a redirect to it would succeed. */
const stranger: RequestListener = ({ url = "" }, response) => {
  const isStream = url.startsWith("/events")
  response.setHeader("content-type", isStream ? "text/event-stream" : "application/json")
  response.end(isStream ? 'id: e1-1\ndata: {"sequence":1,"type":"resync"}\n\n' : "[]")
}

let other: Awaited<ReturnType<typeof listen>>
beforeEach(async () => {
  other = await listen(stranger)
})

/** A shop that has moved: to another origin, or to another path of its own. */
const moved = (status: number, base: string) =>
  listen((request, response) => {
    if (request.url?.startsWith("/v2")) return stranger(request, response)
    return response.writeHead(status, { location: `${base}${request.url}` }).end()
  })

const PROMISES = {
  fetch: (url: string) => fetchTransport(url),
  "a handler that is fetch": (url: string) => webTransport((request) => fetch(request), url)
}

const CALLS = {
  list: (url: string, transportOf = PROMISES.fetch) =>
    petStoreClient({ transport: transportOf(url), key: "ps_secret" }).pets.list(),
  create: (url: string, transportOf = PROMISES.fetch) =>
    petStoreClient({ transport: transportOf(url), key: "ps_secret" }).pets.create({
      name: "Rex",
      categoryId: 1
    }),
  remove: (url: string, transportOf = PROMISES.fetch) =>
    petStoreClient({ transport: transportOf(url), key: "ps_secret" }).pets.remove(1),
  events: (url: string, transportOf = PROMISES.fetch) => {
    const events = petStoreClient({ transport: transportOf(url), key: "ps_secret" }).events()
    return events[Symbol.asyncIterator]().next()
  }
}

const statuses = [301, 302, 303, 307, 308]

describe.each(Object.entries(PROMISES))("the client for promises over %s", (_, transportOf) => {
  describe.each(Object.entries(CALLS))("asked for %s", (_call, call) => {
    it.each(statuses)(
      "follows no %i to another origin, and sends the key nowhere else",
      async (status) => {
        const { url, seen } = await moved(status, other.url)
        const failure = await failureOf(call(url, transportOf))
        expect(failure).toBeInstanceOf(UnexpectedAnswer)
        expect(failure).toMatchObject({ status, location: `${other.url}${seen[0]?.url}` })
        expect(String(failure)).toContain(`a redirect (${status}) to ${other.url}`)
        expect(String(failure)).not.toContain("ps_secret")
        expect([seen.length, other.seen.length]).toEqual([1, 0])
      }
    )

    it.each(statuses)("follows no %i to another path of the shop", async (status) => {
      const { url, seen } = await moved(status, "/v2")
      expect(await failureOf(call(url, transportOf))).toMatchObject({
        name: "UnexpectedAnswer",
        status,
        location: `/v2${seen[0]?.url}`
      })
      expect(seen).toHaveLength(1)
    })
  })
})

describe("a fetch of the caller's own that follows redirects all the same", () => {
  it("is not believed", async () => {
    const { url } = await moved(302, other.url)
    const transport = fetchTransport(url, {
      fetch: (target, init) => fetch(target, { ...init, redirect: "follow" })
    })
    const failure = await failureOf(petStoreClient({ transport, key: "ps_secret" }).pets.list())
    expect(failure).toMatchObject({ name: "UnexpectedAnswer", location: `${other.url}/pets` })
  })
})

describe("a browser, which hides redirects from pages", () => {
  it("is taken at its word", async () => {
    // A status of 0 can't be made here: it is what a response of the type opaqueredirect has.
    const transport = async () => ({ status: 0, header: () => null, text: "" })
    const failure = await failureOf(petStoreClient({ transport, key: "ps_secret" }).pets.list())
    expect(failure).toMatchObject({ name: "UnexpectedAnswer", status: 0, location: undefined })
    expect(String(failure)).toContain("a redirect (0) to a place that is not told")
  })
})

describe("the client for Effect", () => {
  const run = <A, E>(
    url: string,
    call: (client: Effect.Effect.Success<ReturnType<typeof open>>) => Effect.Effect<A, E>
  ) =>
    open(url).pipe(
      Effect.flatMap((client) => Effect.flip(call(client))),
      Effect.provide(FetchHttpClient.layer),
      Effect.runPromise
    )
  const open = (url: string) => petStoreEffectClient({ baseUrl: url, key: "ps_secret" })

  it.each(statuses)("follows no %i", async (status) => {
    const { url, seen } = await moved(status, other.url)
    const failures: ReadonlyArray<unknown> = [
      await run(url, ({ pets }) => pets.listPets({ urlParams: {} })),
      await run(url, ({ pets }) => pets.createPet({ payload: { name: "Rex", categoryId: 1 } })),
      await run(url, ({ pets }) => pets.deletePet({ path: { petId: 1 } })),
      await run(url, ({ events }) => Stream.runHead(events()))
    ]
    for (const [at, failure] of failures.entries())
      expect(failure).toMatchObject({
        name: "UnexpectedAnswer",
        status,
        location: `${other.url}${seen[at]?.url}`
      })
    expect(failures).toHaveLength(seen.length)
    expect(other.seen).toEqual([])
  })

  it("keeps the program's other options of fetch", async () => {
    const { url } = await moved(302, other.url)
    const told: Array<RequestInit | undefined> = []
    await open(url).pipe(
      Effect.flatMap(({ pets }) => Effect.flip(pets.listPets({ urlParams: {} }))),
      Effect.provideService(FetchHttpClient.RequestInit, {
        credentials: "include",
        redirect: "follow"
      }),
      Effect.provideService(FetchHttpClient.Fetch, (target, init) => {
        told.push(init)
        return fetch(target, init)
      }),
      Effect.provide(FetchHttpClient.layer),
      Effect.runPromise
    )
    expect(told).toMatchObject([{ credentials: "include", redirect: "manual" }])
    expect(other.seen).toEqual([])
  })
})
