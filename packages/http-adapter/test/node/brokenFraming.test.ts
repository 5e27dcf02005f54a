/**
 * What breaks on a connection after requests were taken: they are answered, then the connection is
 * closed.
 */
import { connect } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { type RequestReport, serve, type ServeOptions } from "../../src/index.js"
import { openShop, type ShopServer } from "../ShopServer.js"
import { openSocket } from "./RawSocket.js"

type Engine = ShopServer["store"]["engine"]

/** Answers that are there at once, or a turn of the event loop later. */
const PACES: Readonly<Record<string, (engine: Engine) => Engine>> = {
  "at once": (engine) => engine,
  later: (engine) => {
    const later = async <A>(value: () => A | Promise<A>): Promise<A> => {
      await new Promise((resolve) => setImmediate(resolve))
      return value()
    }
    return {
      ...engine,
      authenticator: {
        ...engine.authenticator,
        admit: (presented, nowMs) => later(() => engine.authenticator.admit(presented, nowMs))
      },
      read: (start) => later(() => engine.read(start)),
      write: (start) => later(() => engine.write(start))
    }
  }
}

const CHUNKED = "Transfer-Encoding: chunked"
const BAD_CHUNK = "nonsense\r\n"
const GARBAGE = "\u0000\r\n\r\n"

const open = async (pace: (engine: Engine) => Engine, options: ServeOptions = {}) => {
  const shop = await openShop()
  const reports: Array<RequestReport> = []
  const serving = await serve(
    { engine: pace(shop.store.engine) },
    { port: 0, experimental: true, onRequest: (report) => void reports.push(report), ...options }
  )
  onTestFinished(() => serving.close())
  const head = (line: string, ...fields: ReadonlyArray<string>) =>
    `${[`${line} HTTP/1.1`, "Host: shop.test", ...fields].join("\r\n")}\r\n\r\n`
  const keyed = (line: string, ...fields: ReadonlyArray<string>) =>
    head(line, `X-API-Key: ${shop.key}`, "Content-Type: application/json", ...fields)
  const create = (name: string) => {
    const body = JSON.stringify({ name })
    return keyed("POST /categories", `Content-Length: ${body.length}`) + body
  }
  /** All that comes back for these bytes, sent as one packet, until the server has closed. */
  const exchange = async (bytes: string) => {
    const socket = await openSocket(serving.url)
    socket.write(bytes)
    const text = await socket.closed
    await expect.poll(() => reports.every(({ outcome }) => outcome !== "vanished")).toBe(true)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
    return { text, statuses, told: reports.map(({ status }) => status) }
  }
  return { ...shop, serving, reports, head, keyed, create, exchange }
}

describe.each(Object.entries(PACES))("where answers are there %s", (_, pace) => {
  it.each([
    ["is not known", () => "Transfer-Encoding: identity", 400],
    ["is broken, of a body that is read", () => CHUNKED, 400]
  ])(
    "a body whose framing %s is answered, and the log says what was",
    async (__, field, status) => {
      const { exchange, keyed } = await open(pace)
      const { text, statuses, told } = await exchange(
        keyed("POST /categories", field()) + BAD_CHUNK
      )
      expect([statuses, told]).toEqual([[status], [status]])
      expect(text).toContain('"code":"malformed_request"')
      expect(text).toContain("X-Request-Id: ")
      expect(text).toContain("Connection: close")
    }
  )

  it("a refusal is delivered, whatever happens to the unread body", async () => {
    const { exchange, head, keyed } = await open(pace)
    const refusals = [
      await exchange(head("POST /categories", CHUNKED) + BAD_CHUNK),
      await exchange(keyed("POST /nowhere", CHUNKED) + BAD_CHUNK),
      await exchange(keyed("PATCH /categories", CHUNKED) + BAD_CHUNK),
      await exchange(head("GET /health/live", CHUNKED) + BAD_CHUNK)
    ]
    expect(refusals.map(({ statuses }) => statuses)).toEqual([[401], [404], [405], [200]])
    expect(refusals.at(-1)?.told).toEqual([401, 404, 405, 200])
  })

  it("every request before the one that is none is answered, and then that one", async () => {
    const { exchange, create, keyed, store } = await open(pace)
    const requests = [create("Cats"), keyed("GET /pets/1"), create("Mice")]
    const { statuses, told } = await exchange(requests.join("") + GARBAGE)
    expect([statuses, told]).toEqual([
      [201, 200, 201, 400],
      [201, 200, 201]
    ])
    expect((await store.categories.list()).items.map(({ name }) => name)).toEqual([
      "dogs",
      "Cats",
      "Mice"
    ])
  })

  it("so it is before a request with a broken body, before CONNECT, and before header fields that are too large", async () => {
    const { exchange, create, keyed } = await open(pace)
    const broken = await exchange(create("Cats") + keyed("POST /categories", CHUNKED) + BAD_CHUNK)
    expect([broken.statuses, broken.told]).toEqual([
      [201, 400],
      [201, 400]
    ])
    const tunnel = await exchange(
      `${create("Mice")}CONNECT shop.test:80 HTTP/1.1\r\nHost: shop.test\r\n\r\n`
    )
    expect(tunnel.statuses).toEqual([201, 405])
    const large = await exchange(create("Newts") + keyed("GET /pets", `X: ${"a".repeat(20_000)}`))
    expect(large.statuses).toEqual([201, 431])
  })

  it("an answer that is encoded on another thread is waited for", async () => {
    const { exchange, head } = await open(pace)
    const { text, statuses } = await exchange(
      head("GET /openapi.json", "Accept-Encoding: gzip") + GARBAGE
    )
    expect(statuses).toEqual([200, 400])
    const length = Number(/Content-Length: (\d+)/.exec(text)?.[1])
    const body = text.slice(text.indexOf("\r\n\r\n") + 4)
    expect(body.slice(length)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it("nothing is written between the events of a stream, which ends", async () => {
    const { exchange, keyed } = await open(pace)
    const { text, statuses } = await exchange(keyed("GET /events") + GARBAGE)
    expect(statuses).toEqual([200])
    expect(text).toContain("retry: ")
  })
})

it("a body that the caller does not finish is reported as vanished, and answered 400", async () => {
  const { serving, keyed, reports } = await open((engine) => engine)
  const { hostname, port } = new URL(serving.url)
  const text = await new Promise<string>((resolve) => {
    let received = ""
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () =>
      socket.end(`${keyed("POST /categories", "Content-Length: 50")}{"name"`)
    )
    socket.on("data", (chunk) => (received += chunk.toString()))
    socket.on("end", () => resolve(received))
  })
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(reports).toMatchObject([
    { operation: "createCategory", status: undefined, outcome: "vanished" }
  ])
})

it("what is refused without a request is counted once, however much follows it", async () => {
  const { serving, head } = await open((engine) => engine)
  const socket = await openSocket(serving.url)
  socket.write(GARBAGE)
  await socket.until(/malformed_request/)
  socket.write("more\r\n\r\n")
  socket.write("and more\r\n\r\n")
  await socket.closed
  const asking = await openSocket(serving.url)
  asking.write(head("GET /metrics", "Connection: close"))
  expect(await asking.closed).toContain(
    'petstore_unread_requests_total{code="malformed_request"} 1\n'
  )
})

it("a refusal arrives although the caller keeps sending", async () => {
  const { serving } = await open((engine) => engine)
  const socket = await openSocket(serving.url)
  socket.write(GARBAGE)
  for (let sent = 0; sent < 64; sent++) socket.write(new Uint8Array(262_144))
  expect(await socket.closed).toMatch(/^HTTP\/1\.1 400 [^]*"code":"malformed_request"/)
})

it("callers that reset the connection after CONNECT do not end the server", async () => {
  const { serving, create } = await open(PACES["later"] ?? ((engine) => engine))
  const { hostname, port } = new URL(serving.url)
  const tunnel = "CONNECT shop.test:80 HTTP/1.1\r\nHost: shop.test\r\n\r\n"
  const resets = Array.from(
    { length: 30 },
    (_, at) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(at % 2 === 0 ? tunnel : create(`Kind ${at}`) + tunnel)
          setImmediate(() => socket.resetAndDestroy())
        })
        socket.on("error", () => undefined)
        socket.on("close", () => resolve())
      })
  )
  await Promise.all(resets)
  expect((await fetch(`${serving.url}/health/live`)).status).toBe(200)
})
