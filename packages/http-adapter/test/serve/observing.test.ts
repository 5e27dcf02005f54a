import { Either, type Exit, Option, Tracer } from "effect"
import { StorageError } from "@petstore/core"
import { describe, expect, it } from "vitest"
import {
  failureLine,
  type RequestReport,
  requestLine,
  toWebHandler,
  type WebHandlerOptions
} from "../../src/index.js"
import { type Init, JSON_BODY, openShop } from "../ShopServer.js"

const watched = async (web: WebHandlerOptions = {}, perMinute = 1_000_000) => {
  const reports: Array<RequestReport> = []
  const shop = await openShop({
    web: { ...web, onRequest: (report) => reports.push(report) },
    perMinute
  })
  return { shop, reports }
}

describe("a request that is over", () => {
  it.each<[string, Init, Partial<RequestReport>]>([
    [
      "/pets/1?",
      {},
      {
        operation: "getPet",
        route: "/pets/{petId}",
        method: "GET",
        status: 200,
        bytes: 57,
        accountId: 1
      }
    ],
    ["/pets/1", { method: "HEAD" }, { operation: "getPet", method: "HEAD", status: 200, bytes: 0 }],
    [
      "/pets/secret",
      {},
      { operation: "getPet", route: "/pets/{petId}", status: 400, code: "invalid_parameter" }
    ],
    [
      "/secret",
      {},
      { operation: undefined, route: undefined, status: 404, code: "route_not_found" }
    ],
    ["/pets", { method: "DELETE" }, { operation: undefined, route: "/pets", status: 405 }],
    [
      "/pets",
      { headers: { "x-api-key": "secret" } },
      { status: 401, code: "invalid_key", accountId: undefined }
    ],
    ["/pets", { method: "OPTIONS" }, { route: "/pets", status: 204 }],
    ["/health/live?secret", {}, { route: "/health/live", requestId: "", status: 200 }],
    [
      "/pets",
      { method: "POST", headers: JSON_BODY, body: "{}" },
      { operation: "createPet", status: 422 }
    ]
  ])(
    "%s %j is told of once, by its route and never by its path",
    async (target, init, expected) => {
      const { shop, reports } = await watched()
      const response = await shop.send(target, init)
      expect(reports).toHaveLength(1)
      expect(reports[0]).toMatchObject({ ...expected, outcome: "answered" })
      expect(reports[0]?.durationMs).toBeGreaterThanOrEqual(0)
      if (reports[0]?.requestId !== "")
        expect(reports[0]?.requestId).toBe(response.headers.get("x-request-id"))
      expect(JSON.stringify(reports)).not.toContain("secret")
      expect(JSON.stringify(reports)).not.toContain(shop.key)
    }
  )

  it("has a method of HTTP, or OTHER", async () => {
    const { shop, reports } = await watched()
    await shop.send("/pets", { method: "SECRET\u0021" })
    expect(reports[0]?.method).toBe("OTHER")
  })

  it("is answered even when the host's hook throws", async () => {
    const onRequest = () => {
      throw new Error("no space left for the log")
    }
    const shop = await openShop({ web: { onRequest } })
    expect((await shop.send("/pets/1")).status).toBe(200)
  })

  it("whose caller disconnected while it was sent is reported as vanished, without a status", async () => {
    const { shop, reports } = await watched()
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("gone"))
    })
    await expect(shop.send("/pets", { method: "POST", headers: JSON_BODY, body })).rejects.toThrow(
      "gone"
    )
    expect(reports).toMatchObject([
      { operation: "createPet", status: undefined, outcome: "vanished" }
    ])
  })
})

describe("the line of a request", () => {
  const report: RequestReport = {
    timeMs: Date.UTC(2026, 0, 31),
    requestId: "abc-1",
    operation: "getPet",
    method: "GET",
    route: "/pets/{petId}",
    status: 200,
    code: undefined,
    durationMs: 1.23456,
    streamMs: undefined,
    accountId: 7,
    bytes: 57,
    outcome: "answered",
    cause: undefined
  }

  it("is JSON with these members, in this order", () => {
    expect(requestLine(report)).toBe(
      '{"time":"2026-01-31T00:00:00.000Z","level":"info","event":"request","requestId":"abc-1","operation":"getPet",' +
        '"method":"GET","route":"/pets/{petId}","status":200,"durationMs":1.235,"accountId":7,"bytes":57}'
    )
    expect(
      JSON.parse(requestLine({ ...report, outcome: "vanished", status: undefined }))
    ).toMatchObject({
      event: "caller_vanished"
    })
    expect(JSON.parse(requestLine({ ...report, streamMs: 60_000.1234 }))).toMatchObject({
      streamMs: 60_000.123
    })
  })

  it("stays one line of plain characters, whatever is in it", () => {
    const evil = '\n{"level":"error"}\r\u2028\u2029\u001b[31m\u009b31m\u0000\ud800\ufeff"'
    const line = failureLine(0, new Error(evil, { cause: new Error(evil) }), {
      requestId: evil,
      operation: "getPet"
    })
    // oxlint-disable-next-line no-control-regex -- it matches control characters
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800]/)
    expect(JSON.parse(line)).toMatchObject({ requestId: evil, causes: [`Error: ${evil}`] })
  })

  it("of a failure has its causes, and no key", () => {
    const error = new StorageError({
      reason: "Busy",
      detail: "pets.db",
      cause: new Error("database is locked by ps_0123456789abcdefghijABCDEFGHIJ01abcdef")
    })
    const line = failureLine(0, error, { requestId: "r", operation: undefined })
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      requestId: "r",
      error: "StorageError: Busy: pets.db",
      causes: ["Error: database is locked by ps_…"]
    })
    expect(line).not.toContain("ps_0123")
    expect(
      JSON.parse(failureLine(0, "a text", { requestId: "", operation: undefined })).error
    ).toBe("a text")
  })
})

describe("/metrics", () => {
  it("counts by operation and status, and says how the authenticator decided", async () => {
    const shop = await openShop({ perMinute: 6 })
    for (const target of ["/pets/1", "/pets/1", "/pets/99", "/nowhere", "/categories"])
      await shop.send(target)
    await shop.sendJson("/categories", { name: "Cats" })
    await shop.send("/pets")
    await shop.sendBare("/pets")
    const response = await shop.sendBare("/metrics")
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
    const lines = (await response.text()).split("\n")
    for (const line of [
      'petstore_requests_total{operation="getPet",status="200"} 2',
      'petstore_requests_total{operation="getPet",status="404"} 1',
      'petstore_requests_total{operation="none",status="404"} 1',
      'petstore_requests_total{operation="createCategory",status="201"} 1',
      'petstore_requests_total{operation="listPets",status="429"} 1',
      'petstore_requests_total{operation="listPets",status="401"} 1',
      'petstore_limiter_decisions_total{decision="admitted"} 6',
      'petstore_limiter_decisions_total{decision="rate_limited"} 1',
      'petstore_limiter_decisions_total{decision="unauthenticated"} 1',
      'petstore_storage_waiting{kind="write"} 0'
    ]) {
      expect(lines).toContain(line)
    }
  })

  it("times every request and every answer of the storage, also with no hook of the host", async () => {
    const shop = await openShop({})
    for (let n = 0; n < 20; n++) await shop.send("/pets/1")
    const lines = (await (await shop.sendBare("/metrics")).text()).split("\n")
    expect(lines).toContain('petstore_request_duration_seconds_count{operation="getPet"} 20')
    expect(lines).toContain('petstore_storage_duration_seconds_count{kind="read"} 20')
  })

  it("is well formed: each family is announced once and has whole histograms", async () => {
    const { shop } = await watched()
    for (let n = 0; n < 20; n++) await shop.send("/pets/1")
    const text = await (await shop.sendBare("/metrics")).text()
    const types = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name]) => name)
    expect(new Set(types).size).toBe(types.length)
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? [0-9.e+-]+)$/
      )
    }
    const buckets = [
      ...text.matchAll(
        /^petstore_request_duration_seconds_bucket\{operation="getPet",le="([^"]+)"\} (\d+)$/gm
      )
    ]
    const counts = buckets.map(([, , count]) => Number(count))
    expect(counts).toEqual(counts.toSorted((left, right) => left - right))
    expect([buckets.at(-1)?.[1], counts.at(-1)]).toEqual(["+Inf", 20])
    expect(text).not.toContain(shop.key)
  })

  it("says what a host gathers from several processes, and 500 where that fails", async () => {
    const failures: Array<unknown> = []
    let fails = false
    const shop = await openShop({
      web: {
        gatherMetrics: (own) => async () => {
          if (fails) throw new Error("nobody answers")
          return `${own()}# and of another\n`
        },
        onError: (cause) => failures.push(cause)
      }
    })
    const text = await (await shop.sendBare("/metrics")).text()
    expect(text).toContain("petstore_requests_total")
    expect(text.endsWith("\n# and of another\n")).toBe(true)
    fails = true
    const response = await shop.sendBare("/metrics")
    expect([response.status, await response.json()]).toEqual([
      500,
      { code: "internal", message: "the metrics can't be had", status: 500 }
    ])
    expect(failures).toEqual([new Error("nobody answers")])
  })

  it("counts each ban once, and is not there where the host does not want it", async () => {
    const shop = await openShop({ perMinute: 1, web: { metrics: false } })
    expect((await shop.send("/metrics")).status).toBe(404)
  })
})

describe("spans", () => {
  type Ended = {
    readonly span: Tracer.Span
    endTime: bigint
    exit: Exit.Exit<unknown, unknown> | undefined
  }

  const tracing = () => {
    const spans: Array<Ended> = []
    const tracer = Tracer.make({
      span: (name, parent, context, links, startTime, kind) => {
        const attributes = new Map<string, unknown>()
        const span: Tracer.Span = {
          _tag: "Span",
          name,
          spanId: "b7ad6b7169203332",
          traceId: Option.match(parent, { onNone: () => "0", onSome: ({ traceId }) => traceId }),
          parent,
          context,
          links,
          kind,
          attributes,
          sampled: true,
          status: { _tag: "Started", startTime },
          attribute: (key, value) => attributes.set(key, value),
          event: () => undefined,
          addLinks: () => undefined,
          end: (endTime, exit) => Object.assign(ended, { endTime, exit })
        }
        const ended: Ended = { span, endTime: 0n, exit: undefined }
        spans.push(ended)
        return span
      },
      context: (run) => run()
    })
    return { spans, tracer }
  }

  it("are named by the operation, have its status, and belong to the caller's trace", async () => {
    const { spans, tracer } = tracing()
    const shop = await openShop({ web: { tracer } })
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    await shop.send("/pets/1", { headers: { traceparent } })
    await shop.send("/nowhere")
    const [first, second] = spans
    expect([first?.span.name, first?.span.kind, second?.span.name]).toEqual([
      "getPet",
      "server",
      "GET"
    ])
    expect(Object.fromEntries(first?.span.attributes ?? [])).toMatchObject({
      "http.request.method": "GET",
      "http.route": "/pets/{petId}",
      "http.response.status_code": 200,
      "petstore.account_id": 1
    })
    expect(first?.exit?._tag).toBe("Success")
    expect([first?.span.traceId, second?.span.traceId]).toEqual([
      "0af7651916cd43dd8448eb211c80319c",
      "0"
    ])
    expect(first?.endTime).toBeGreaterThan(0n)
  })

  it("of failures carry the cause, which the answer does not", async () => {
    const { spans, tracer } = tracing()
    const { store, key } = await openShop()
    const error = new StorageError({ reason: "Corrupt", detail: "/var/secret.db" })
    const handle = toWebHandler(
      { engine: { ...store.engine, read: () => Either.left(error) } },
      { tracer }
    )
    const response = await handle(
      new Request("http://shop.test/pets/1", { headers: { "x-api-key": key } })
    )
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.not.stringContaining("secret")
    ])
    expect(JSON.stringify(spans[0]?.exit)).toContain("Corrupt")
    expect([...(spans[0]?.span.attributes ?? [])]).toContainEqual(["error.type", "internal"])
  })
})
