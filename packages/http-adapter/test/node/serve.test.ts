import { setTimeout as pause } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type RequestReport, serve, type ServeOptions, type Serving } from "../../src/index.js"
import { openShop, type ShopServer } from "../ShopServer.js"
import { openSocket } from "./RawSocket.js"

let shop: ShopServer
let serving: Serving
const failures: Array<unknown> = []

const restart = async (options: ServeOptions = {}) => {
  await serving?.close()
  serving = await serve(shop.store, {
    port: 0,
    onError: (cause) => failures.push(cause),
    ...options
  })
}

beforeEach(async () => {
  failures.length = 0
  shop = await openShop()
  await restart()
})

afterEach(async () => {
  await serving.close()
  expect(failures).toEqual([])
})

const head = (line: string, ...fields: ReadonlyArray<string>) =>
  `${[line, "Host: shop.test", `X-API-Key: ${shop.key}`, ...fields].join("\r\n")}\r\n\r\n`

/**
 * Sends bytes on a connection of their own, and gives back everything until the pattern shows up.
 */
const exchange = async (data: string, until: RegExp) => {
  const socket = await openSocket(serving.url)
  socket.write(data)
  const text = await socket.until(until)
  socket.destroy()
  return text
}

const PET = '{"name":"Max","categoryId":1}'
const create = (body = PET) =>
  `${head("POST /pets HTTP/1.1", "Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`)}${body}`

describe("over node:http", () => {
  it("answers fetch", async () => {
    const headers = { "x-api-key": shop.key, "content-type": "application/json" }
    const created = await fetch(`${serving.url}/pets`, { method: "POST", headers, body: PET })
    expect([created.status, await created.json()]).toEqual([
      201,
      { id: 2, name: "Max", categoryId: 1, status: "available" }
    ])
    const response = await fetch(`${serving.url}/pets/2`, { headers })
    expect([response.status, response.headers.get("etag")]).toEqual([200, '"2-1"'])
  })

  it("answers pipelined requests in order on one connection", async () => {
    const text = await exchange(
      create() +
        head("GET /pets/2 HTTP/1.1") +
        head("DELETE /pets/2 HTTP/1.1") +
        head("GET /pets/2 HTTP/1.1"),
      /there is no pet 2/
    )
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([
      "HTTP/1.1 201",
      "HTTP/1.1 200",
      "HTTP/1.1 204",
      "HTTP/1.1 404"
    ])
  })

  it.each([
    ["GET http://shop.test/pets/1 HTTP/1.1", "200", '"name":"Rex"'],
    ["GET //pets HTTP/1.1", "404", "route_not_found"],
    ["GET // HTTP/1.1", "404", "route_not_found"],
    ["GET * HTTP/1.1", "404", "route_not_found"],
    ["GET /pets?% HTTP/1.1", "400", "invalid_parameter"],
    ["GET /pets/%E0%A4%A HTTP/1.1", "400", "invalid_parameter"]
  ])("%s is answered %s", async (line, status, content) => {
    const text = await exchange(head(line), /}$/)
    expect(text).toContain(`HTTP/1.1 ${status} `)
    expect(text).toContain(content)
    expect(text).toMatch(/X-RateLimit-Limit: \d+/)
  })

  it("a doubled key or authorization is refused, not joined and not picked from", async () => {
    for (const field of [
      "X-API-Key: evil",
      `Authorization: Bearer ${shop.key}\r\nAuthorization: Bearer ${shop.key}`
    ]) {
      const text = await exchange(head("GET /pets HTTP/1.1", field), /}$/)
      expect(text).toContain('"code":"invalid_key"')
    }
  })

  it("a doubled content type is refused", async () => {
    const types = ["Content-Type: application/json", "Content-Type: text/plain"]
    const text = await exchange(
      head("POST /pets HTTP/1.1", ...types, "Content-Length: 2") + "{}",
      /}$/
    )
    expect(text).toContain('"code":"unsupported_media_type"')
  })

  it("a missing Host field is a bad request, and counted", async () => {
    const text = await exchange(`GET /pets HTTP/1.1\r\nX-API-Key: ${shop.key}\r\n\r\n`, /}$/)
    expect(text).toContain("HTTP/1.1 400 ")
    expect(text).toContain('"code":"malformed_request"')
    expect(text).toMatch(/X-RateLimit-Remaining: \d+/)
  })

  it("a GET with a body is answered, its body thrown away, and the connection kept", async () => {
    const text = await exchange(
      `${head("GET /pets/1 HTTP/1.1", "Content-Length: 5")}hello${head("GET /pets/99 HTTP/1.1")}`,
      /there is no pet 99/
    )
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404"])
  })
})

describe("bodies that are refused", () => {
  it("a declared 20 MB is refused unread, the answer arrives, and the connection closes", async () => {
    const socket = await openSocket(serving.url)
    socket.write(
      head("POST /pets HTTP/1.1", "Content-Type: application/json", "Content-Length: 20000000")
    )
    socket.write(new Uint8Array(1_000_000))
    const text = await socket.closed
    expect(text).toContain("HTTP/1.1 413 ")
    expect(text).toContain("Connection: close")
    expect(text).toContain('"code":"body_too_large"')
  })

  it("a chunked body is counted, and refused once it is too long", async () => {
    const socket = await openSocket(serving.url)
    socket.write(
      head("POST /pets HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked")
    )
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`
    for (let n = 0; n < 40; n++) socket.write(chunk)
    const text = await socket.closed
    expect(text).toContain("HTTP/1.1 413 ")
    expect(text).toContain("Connection: close")
  })

  it("a small one is thrown away, and the next request on the connection is answered", async () => {
    const text = await exchange(
      `${head("POST /pets HTTP/1.1", "Content-Type: text/plain", "Content-Length: 5")}hello${head("GET /pets/1 HTTP/1.1")}`,
      /"name":"Rex"/
    )
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 415", "HTTP/1.1 200"])
  })

  it("100 Continue is said for a body that will be read, and for no other", async () => {
    const expects = (length: number) =>
      head(
        "POST /pets HTTP/1.1",
        "Content-Type: application/json",
        `Content-Length: ${length}`,
        "Expect: 100-continue"
      )
    const socket = await openSocket(serving.url)
    socket.write(expects(PET.length))
    await socket.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    socket.write(PET)
    expect(await socket.until(/}$/)).toContain("HTTP/1.1 201 ")
    socket.destroy()

    const refused = await openSocket(serving.url)
    refused.write(expects(99_999_999_999))
    const text = await refused.closed
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).not.toContain("100 Continue")
    expect(text).toContain("Connection: close")
  })
})

describe("what node's parser refuses", () => {
  it.each([
    ["nonsense", "hello\r\n\r\n", 400, "malformed_request"],
    [
      "two lengths",
      "POST /pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "malformed_request"
    ],
    [
      "length and chunks",
      "POST /pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      "malformed_request"
    ],
    [
      "too many header bytes",
      `GET /pets HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
      "headers_too_large"
    ]
  ])("%s is answered by our error, and the connection closes", async (_, data, status, code) => {
    const socket = await openSocket(serving.url)
    socket.write(data)
    const text = await socket.closed
    expect(text).toContain(`HTTP/1.1 ${status} `)
    expect(text).toContain("Connection: close")
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({ code, status })
  })

  it("header fields that take too long are answered 408", async () => {
    await restart({ headersTimeoutMs: 300, requestTimeoutMs: 300 })
    const socket = await openSocket(serving.url)
    socket.write("GET /pets HTTP/1.1\r\nHost: x\r\n")
    const text = await socket.closed
    expect(text).toContain("HTTP/1.1 408 ")
    expect(text).toContain('"code":"request_timeout"')
  })

  it("header fields that take too long on a kept connection are cut as well", async () => {
    await restart({ headersTimeoutMs: 300, requestTimeoutMs: 300 })
    const socket = await openSocket(serving.url)
    socket.write(head("GET /pets/1 HTTP/1.1"))
    await socket.until(/"name":"Rex"/)
    socket.write("GET /pets HTTP/1.1\r\nHost: x\r\n")
    expect(await socket.closed).toContain("HTTP/1.1 408 ")
  })
})

describe("a body that goes wrong on its way", () => {
  const chunked = ["Content-Type: application/json", "Transfer-Encoding: chunked"]

  it("is answered 400 where its framing is broken", async () => {
    const socket = await openSocket(serving.url)
    socket.write(`${head("POST /pets HTTP/1.1", ...chunked)}2\r\n{}\r\nnonsense\r\n`)
    const text = await socket.closed
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"])
    expect(text).toContain('"code":"malformed_request"')
  })

  it("is answered 408 where it takes too long", async () => {
    await restart({ headersTimeoutMs: 300, requestTimeoutMs: 300 })
    const socket = await openSocket(serving.url)
    socket.write(`${head("POST /pets HTTP/1.1", ...chunked)}2\r\n{}\r\n`)
    const text = await socket.closed
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 408"])
  })

  it("that never comes is no second request once the first answer is out", async () => {
    await restart({ headersTimeoutMs: 300, requestTimeoutMs: 300 })
    const socket = await openSocket(serving.url)
    socket.write(head("GET /pets HTTP/1.1", "Content-Length: 10"))
    expect((await socket.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"])
  })

  it("after it was refused is not answered a second time", async () => {
    const socket = await openSocket(serving.url)
    socket.write(head("POST /nowhere HTTP/1.1", ...chunked))
    await socket.until(/route_not_found/)
    socket.write("nonsense\r\n")
    expect((await socket.closed).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404"])
  })
})

describe("a caller that vanishes", () => {
  it("in the middle of a body changes nothing, and the server continues", async () => {
    const socket = await openSocket(serving.url)
    socket.write(
      head("POST /pets HTTP/1.1", "Content-Type: application/json", "Content-Length: 500") +
        '{"name":'
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
    const text = await exchange(head("GET /pets HTTP/1.1"), /\]$/)
    expect(text).toContain('[{"id":1,"name":"Rex","categoryId":1,"status":"available"}]')
  })
})

describe("a caller that disconnects is reported as vanished", () => {
  /**
   * Serves with parts of the engine replaced; sends a POST, and destroys the connection a moment
   * later.
   */
  const vanish = async (parts: Partial<ShopServer["store"]["engine"]>, request = create()) => {
    const reports: Array<RequestReport> = []
    await serving.close()
    const engine = { ...shop.store.engine, ...parts }
    serving = await serve({ engine }, { port: 0, onRequest: (report) => reports.push(report) })
    const socket = await openSocket(serving.url)
    socket.write(request)
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.destroy()
    await expect.poll(() => reports.length).toBe(1)
    const metrics = await (await fetch(`${serving.url}/metrics`)).text()
    // The one that asks.
    expect(metrics).toMatch(/^petstore_requests_running 1$/m)
    expect(metrics).toMatch(/^petstore_callers_vanished_total 1$/m)
    return reports[0]
  }

  const later = async <A>(value: () => A): Promise<Awaited<A>> => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return await value()
  }

  it("in the middle of a body: without a status, and nothing is done", async () => {
    const report = await vanish({}, create().slice(0, -5))
    expect(report).toMatchObject({ operation: "createPet", status: undefined, outcome: "vanished" })
    expect((await shop.store.pets.list()).items).toHaveLength(1)
  })

  it("while the key is looked up: without a status, and nothing is done", async () => {
    const { authenticator } = shop.store.engine
    const admit: typeof authenticator.admit = (presented, nowMs) =>
      later(() => authenticator.admit(presented, nowMs))
    const report = await vanish({ authenticator: { ...authenticator, admit } })
    expect(report).toMatchObject({ operation: "createPet", status: undefined, outcome: "vanished" })
    expect((await shop.store.pets.list()).items).toHaveLength(1)
  })

  it("while its change is made: with the status it would have got, and the change is whole", async () => {
    const { write } = shop.store.engine
    const slow: typeof write = (start) => later(() => write(start))
    const report = await vanish({ write: slow })
    expect(report).toMatchObject({
      operation: "createPet",
      status: 201,
      outcome: "vanished",
      cause: undefined
    })
    expect((await shop.store.pets.get(2)).name).toBe("Max")
  })
})

describe("bounds of a connection", () => {
  const statuses = (text: string) =>
    text.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(9)))

  it("one too many is answered 503, with the limits, and closed; after another one closes, a new one is accepted", async () => {
    await restart({ maxConnections: 2 })
    const [first, second] = [await openSocket(serving.url), await openSocket(serving.url)]
    for (const socket of [first, second]) {
      socket.write(head("GET /pets/1 HTTP/1.1"))
      await socket.until(/"name":"Rex"/)
    }
    const third = await openSocket(serving.url)
    third.write(head("GET /pets/1 HTTP/1.1"))
    const text = await third.closed
    expect(text).toMatch(/^HTTP\/1\.1 503 /)
    expect(text).toContain('"code":"unavailable"')
    expect(text).toMatch(/X-RateLimit-Limit: \d+/)
    expect(text).toContain("Retry-After: 1")
    const silent = await openSocket(serving.url)
    expect(await silent.closed).toBe("")
    first.destroy()
    await first.closed
    await new Promise((resolve) => setTimeout(resolve, 50))
    const fourth = await exchange(head("GET /pets/1 HTTP/1.1"), /"name":"Rex"/)
    expect(statuses(fourth)).toEqual([200])
    second.destroy()
  })

  it("that says nothing is closed after the time for header fields, and one that is kept after the time between requests", async () => {
    await restart({ headersTimeoutMs: 300, requestTimeoutMs: 300, keepAliveTimeoutMs: 300 })
    const [silent, kept] = [await openSocket(serving.url), await openSocket(serving.url)]
    kept.write(head("GET /pets/1 HTTP/1.1"))
    await kept.until(/"name":"Rex"/)
    const startedMs = performance.now()
    const texts = await Promise.all([silent.closed, kept.closed])
    expect(performance.now() - startedMs).toBeLessThan(4_000)
    expect(texts.map((text) => statuses(text) ?? [])).toEqual([[408], [200]])
  })

  it("no more requests are read than may wait in a row, and all are answered in order in the end", async () => {
    let release = () => {}
    const { engine } = shop.store
    const waiting = new Promise<void>((resolve) => (release = resolve))
    let begun = 0
    const slow: typeof engine = {
      ...engine,
      read: async (start) => {
        begun++
        await waiting
        return engine.read(start)
      }
    }
    await serving.close()
    serving = await serve({ engine: slow }, { port: 0, maxPipelined: 8 })
    let bytesRead = () => 0
    serving.server.once("connection", (socket) => (bytesRead = () => socket.bytesRead))
    const socket = await openSocket(serving.url)
    const count = 4_000
    const requests = head("GET /pets/1 HTTP/1.1").repeat(count)
    socket.write(requests)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(begun).toBe(1)
    expect(bytesRead()).toBeLessThan(requests.length / 2)
    release()
    const answered = () => socket.received().split('"name":"Rex"').length - 1
    await expect.poll(answered, { timeout: 10_000, interval: 20 }).toBe(count)
    expect(new Set(statuses(socket.received()))).toEqual(new Set([200]))
    socket.destroy()
  }, 15_000)
})

describe("close", () => {
  it("cuts idle and half-sent connections, and leaves the rest of its bound unused", async () => {
    const idle = await openSocket(serving.url)
    idle.write(head("GET /pets/1 HTTP/1.1"))
    await idle.until(/"name":"Rex"/)
    const half = await openSocket(serving.url)
    half.write("GET /pets HT")
    const startedMs = performance.now()
    await serving.close()
    await Promise.all([idle.closed, half.closed])
    expect(performance.now() - startedMs).toBeLessThan(4_000)
  })

  /** Serves with reads and writes that wait until they are let go. */
  const serveSlowly = async (options: ServeOptions = {}) => {
    let release = () => {}
    const waiting = new Promise<void>((resolve) => (release = resolve))
    const { engine } = shop.store
    const slow: typeof engine = {
      ...engine,
      read: async (start) => (await waiting, engine.read(start)),
      write: async (start) => (await waiting, engine.write(start))
    }
    await serving.close()
    serving = await serve({ engine: slow }, { port: 0, ...options })
    return () => release()
  }

  it("lets a running request finish and commit, takes no connection, and says so", async () => {
    const release = await serveSlowly()
    const socket = await openSocket(serving.url)
    socket.write(create())
    await new Promise((resolve) => setTimeout(resolve, 20))
    const closing = serving.close()
    await expect(openSocket(serving.url)).rejects.toMatchObject({ code: "ECONNREFUSED" })
    release()
    const text = await socket.closed
    expect(text).toMatch(/^HTTP\/1\.1 201 /)
    expect(text).toContain("Connection: close")
    await closing
    expect((await shop.store.pets.get(2)).name).toBe("Max")
  })

  it("answers a write that waits for longer than connections are given to fall silent", async () => {
    const release = await serveSlowly()
    const socket = await openSocket(serving.url)
    socket.write(create())
    await pause(20)
    const closing = serving.close()
    await pause(400)
    release()
    const text = await socket.closed
    expect(text).toMatch(/^HTTP\/1\.1 201 /)
    expect(text).toContain("Connection: close")
    await closing
  })

  it("lets nothing come before the answer to a write that waits, whatever is sent after it", async () => {
    const release = await serveSlowly()
    const socket = await openSocket(serving.url)
    socket.write(create())
    await pause(20)
    socket.write("\u0000\r\n\r\n")
    await pause(50)
    release()
    const text = await socket.closed
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 400"])
    expect(text).toContain('"name":"Max"')
  })

  it("answers 503 shutting_down on kept connections whose request was on its way, does nothing, and is not ready", async () => {
    const release = await serveSlowly()
    const [busy, kept, probe] = [
      await openSocket(serving.url),
      await openSocket(serving.url),
      await openSocket(serving.url)
    ]
    busy.write(head("GET /pets/1 HTTP/1.1"))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const closing = serving.close()
    kept.write(create())
    probe.write("GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n")
    const [refused, ready] = await Promise.all([kept.closed, probe.closed])
    expect(refused).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused).toContain('"code":"shutting_down"')
    expect(refused).toMatch(/X-RateLimit-Limit: \d+/)
    expect(refused).toContain("Retry-After: 1")
    expect(refused).toContain("Connection: close")
    expect(ready).toMatch(/^HTTP\/1\.1 503 /)
    release()
    expect(await busy.closed).toMatch(/^HTTP\/1\.1 200 /)
    await closing
    expect((await shop.store.pets.list()).items).toHaveLength(1)
  })

  it("works normally while it drains, but is not ready", async () => {
    await restart({ drainMs: 300 })
    const closing = serving.close()
    const ready = await exchange("GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n", /not ready/)
    expect(ready).toMatch(/^HTTP\/1\.1 503 /)
    const text = await exchange(create(), /}$/)
    expect(text).toMatch(/^HTTP\/1\.1 201 /)
    expect(text).toContain("Connection: close")
    await closing
    await expect(openSocket(serving.url)).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  it("lets a body that is still arriving arrive, and cuts one that does not within the bound", async () => {
    await restart({ closeTimeoutMs: 600 })
    const [arriving, stuck] = [await openSocket(serving.url), await openSocket(serving.url)]
    for (const socket of [arriving, stuck]) socket.write(create().slice(0, -10))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const closing = serving.close()
    await new Promise((resolve) => setTimeout(resolve, 200))
    arriving.write(create().slice(-10))
    expect(await arriving.closed).toMatch(/^HTTP\/1\.1 201 /)
    await closing
    expect(await stuck.closed).toBe("")
    expect((await shop.store.pets.list()).items).toHaveLength(2)
  })

  it("cuts what still runs after its bound", async () => {
    const { engine } = shop.store
    const stuck: typeof engine = { ...engine, read: () => new Promise(() => undefined) }
    await serving.close()
    serving = await serve({ engine: stuck }, { port: 0, closeTimeoutMs: 100 })
    const socket = await openSocket(serving.url)
    socket.write(head("GET /pets/1 HTTP/1.1"))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await serving.close()
    expect(await socket.closed).toBe("")
  })

  it("rejects where it can't listen", async () => {
    const { port } = new URL(serving.url)
    await expect(serve(shop.store, { port: Number(port) })).rejects.toMatchObject({
      code: "EADDRINUSE"
    })
  })
})

describe("what a proxy might understand otherwise", () => {
  it.each([
    ["two Host fields", "GET /pets HTTP/1.1", ["Host: other.test"]],
    ["a coding besides chunked", "POST /pets HTTP/1.1", ["Transfer-Encoding: gzip, chunked"]]
  ])("%s is a bad request", async (_, line, fields) => {
    const text = await exchange(head(line, ...fields), /}$/)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('"code":"malformed_request"')
  })

  it("what follows an answer of the same turn is written after it, on each of many connections", async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(serving.url)))
    const get = head("GET /pets/1 HTTP/1.1")
    // Once all are accepted and the caller is known, what is sent at once is read in one turn.
    for (const socket of sockets) {
      socket.write(get)
      await socket.until(/}$/)
    }
    const followers = ["\u0000\r\n\r\n", "CONNECT /pets HTTP/1.1\r\nHost: shop.test\r\n\r\n"]
    for (const [at, socket] of sockets.entries()) socket.write(get + (followers[at % 2] ?? ""))
    for (const [at, text] of (await Promise.all(sockets.map(({ closed }) => closed))).entries()) {
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      expect(statuses).toEqual(["200", "200", at % 2 === 0 ? "400" : "405"])
    }
  })

  it("CONNECT is answered, as a method that nothing here has", async () => {
    const text = await exchange("CONNECT /pets HTTP/1.1\r\nHost: shop.test\r\n\r\n", /}$/)
    expect(text).toMatch(/^HTTP\/1\.1 405 /)
    expect(text).toMatch(/\r\nAllow: /)
    expect(text).toMatch(/\r\nX-RateLimit-Limit: /)
  })
})

describe("header fields", () => {
  it("past the number that node keeps are refused, as a condition or a key may be among them", async () => {
    const many = Array.from({ length: 1_100 }, () => "a:b")
    const text = await exchange(head("GET /pets HTTP/1.1", ...many), /}$/)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain("more than 999 header fields")
  })
})

describe("a request that the server cuts", () => {
  it("is not reported as a caller that vanished", async () => {
    const reports: Array<RequestReport> = []
    await restart({
      requestTimeoutMs: 300,
      headersTimeoutMs: 300,
      onRequest: (report) => reports.push(report)
    })
    const socket = await openSocket(serving.url)
    socket.write(
      head("POST /pets HTTP/1.1", "Content-Type: application/json", "Content-Length: 50") +
        '{"name"'
    )
    expect(await socket.closed).toMatch(/^HTTP\/1\.1 408 /)
    expect(reports.map(({ outcome }) => outcome)).toEqual(["cut"])
  })
})
