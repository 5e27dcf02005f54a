import { execFile, spawn } from "node:child_process"
import { connect } from "node:net"
import { promisify } from "node:util"
import { openTestStore, type TestStore } from "@petstore/storage-memory"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { type RequestReport, serve, type ServeOptions, type Serving } from "../../src/index.js"
import { openSocket } from "../node/RawSocket.js"
import { turns } from "./EventShop.js"
import { ScriptedFeed } from "./ScriptedFeed.js"

let store: TestStore
let key: string
let feed: ScriptedFeed
let serving: Serving
let reports: Array<RequestReport>

const start = async (options: ServeOptions = {}) => {
  serving = await serve(
    { engine: { ...store.engine, feed } },
    { port: 0, experimental: true, onRequest: (report) => reports.push(report), ...options }
  )
  const own = serving
  onTestFinished(() => own.close())
}

beforeEach(async () => {
  store = await openTestStore()
  const account = await store.accounts.create({ name: "Ann", plan: "business" })
  ;({ key } = await store.keys.create(account.id, {}))
  feed = new ScriptedFeed()
  reports = []
  await start()
})

const asked = (target = "/events", ...fields: ReadonlyArray<string>) =>
  [`GET ${target} HTTP/1.1`, "Host: shop.test", `X-API-Key: ${key}`, ...fields, "", ""].join("\r\n")

const follow = async (target?: string, ...fields: ReadonlyArray<string>) => {
  const socket = await openSocket(serving.url)
  socket.write(asked(target, ...fields))
  await socket.until(/retry: \d+\nid: /)
  return socket
}

describe("a stream over node:http", () => {
  it("comes event by event, in chunks, not encoded whatever the caller takes", async () => {
    const socket = await follow("/events", "Accept-Encoding: gzip, br")
    expect(socket.received()).toMatch(/\r\nTransfer-Encoding: chunked\r\n/)
    expect(socket.received()).not.toMatch(/Content-Encoding|Content-Length|Vary/)
    feed.add(1)
    await socket.until(/id: e1-1\nevent: pet\.created\ndata: \{.*\}\n\n/)
    feed.add(1)
    await socket.until(/id: e1-2\n/)
    socket.destroy()
  })

  it("leaves the process to others after each page, also where its socket takes all it is given", async () => {
    feed.add(10_000)
    const socket = await openSocket(serving.url)
    socket.write(asked("/events?after=0"))
    let most = 0
    for (let before = 0; before < 10_000 / 128; before = feed.pages) {
      await turns(1)
      most = Math.max(most, feed.pages - before)
    }
    expect(most).toBeLessThanOrEqual(2)
    await socket.until(/id: e1-10000\n/)
    socket.destroy()
  })

  it("is closed once its reader disconnects, and reported as answered", async () => {
    const socket = await follow()
    expect(feed.wakes.size).toBe(1)
    socket.destroy()
    await expect.poll(() => feed.wakes.size).toBe(0)
    expect(reports).toMatchObject([{ operation: "streamEvents", status: 200, outcome: "answered" }])
  })

  it("answers HEAD without a stream, and keeps the connection", async () => {
    const socket = await openSocket(serving.url)
    socket.write(asked().replace("GET", "HEAD") + asked("/pets"))
    const text = await socket.until(/\[\]$/)
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text.match(/text\/event-stream/g)).toHaveLength(1)
    socket.destroy()
  })

  it("goes on when requests that take too long are cut", async () => {
    await start({ requestTimeoutMs: 300, headersTimeoutMs: 300, keepAliveTimeoutMs: 300 })
    const socket = await follow()
    const late = await openSocket(serving.url)
    late.write("GET /pets HTTP/1.1\r\nHo")
    expect(await late.closed).toMatch(/^HTTP\/1\.1 408 /)
    feed.add(1)
    await socket.until(/id: e1-1\n/)
    socket.destroy()
  })

  it("ends at once and in order when the server closes, without being waited for", async () => {
    await start({ drainMs: 100, closeTimeoutMs: 60_000 })
    const [first, second] = [await follow(), await follow()]
    const closing = serving.close()
    await first.until(/: this service is about to stop\n\n\r\n0\r\n\r\n$/)
    const another = await follow()
    await closing
    for (const socket of [first, second, another])
      expect(await socket.closed).toMatch(/: this service is about to stop\n\n\r\n0\r\n\r\n$/)
    expect(reports.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "answered"])
  })

  it("that is requested while the server closes begins and ends in order, because a browser would not reconnect after a 503", async () => {
    const kept = await openSocket(serving.url)
    kept.write(asked("/pets"))
    await kept.until(/\[\]$/)
    const closing = serving.close()
    kept.write(asked())
    expect(await kept.closed).toMatch(
      /\r\n\r\n[^]*\nid: e1-0\n\n[^]*: this service is about to stop\n\n\r\n0\r\n\r\n$/
    )
    await closing
  })

  it("is no request that runs, but has a gauge of its own", async () => {
    const socket = await follow()
    const metrics = await (await fetch(`${serving.url}/metrics`)).text()
    expect(metrics).toContain("\npetstore_event_streams 1\n")
    expect(metrics).toContain("\npetstore_requests_running 1\n")
    socket.destroy()
  })

  it("that is not read is not written to, however much happens, and continues without a gap when it is read again", async () => {
    const socket = connect(Number(new URL(serving.url).port), "127.0.0.1")
    socket.pause()
    socket.write(asked("/events?after=0"))
    await expect.poll(() => feed.wakes.size).toBe(1)
    feed.add(60_000, "x".repeat(200))
    // The kernel takes some, and then no more.
    let before = -1
    await expect
      .poll(async () => {
        const same = before === feed.pages
        before = feed.pages
        await turns(20)
        return same
      })
      .toBe(true)
    const { pages } = feed
    expect(pages).toBeLessThan(100)
    feed.add(40_000, "x".repeat(200))
    await turns(100)
    expect(feed.pages).toBe(pages)
    let next = 1
    let rest = ""
    await new Promise<void>((resolve) => {
      socket.on("data", (piece: Buffer) => {
        rest += piece.toString("latin1")
        const lines = rest.split("\n")
        rest = lines.pop() ?? ""
        for (const line of lines) {
          const sequence = /^id: e1-(\d+)/.exec(line)?.[1]
          if (sequence !== undefined && Number(sequence) === next) next++
        }
        if (next > 100_000) resolve()
      })
      socket.resume()
    })
    expect(next).toBe(100_001)
    socket.destroy()
  }, 60_000)

  it("is dropped when it takes nothing for too long", async () => {
    const socket = connect(Number(new URL(serving.url).port), "127.0.0.1")
    socket.pause()
    socket.write(asked("/events?after=0"))
    await expect.poll(() => feed.wakes.size).toBe(1)
    feed.add(60_000, "x".repeat(200))
    await turns(100)
    for (let at = 0; at < 10; at++) {
      store.advance(3_750)
      await turns()
    }
    expect(feed.wakes.size).toBe(0)
    await expect.poll(() => reports.length).toBe(1)
    socket.destroy()
  })
})

const curl = await promisify(execFile)("curl", ["--version"]).then(
  () => true,
  () => false
)

describe.skipIf(!curl)("curl -N (skipped where there is none)", () => {
  it("shows events as they happen", async () => {
    const child = spawn("curl", [
      "-sN",
      "-H",
      `X-API-Key: ${key}`,
      `${serving.url}/events?type=pet.created`
    ])
    let text = ""
    child.stdout.on("data", (piece: Buffer) => (text += piece.toString()))
    await expect.poll(() => text).toContain("retry: ")
    feed.add(1)
    await expect.poll(() => text).toContain('"name":"Rex"')
    child.kill()
  })
})

describe("a client of HTTP/1.0", () => {
  it("gets the stream as it comes, without chunks, until the connection closes", async () => {
    const socket = await openSocket(serving.url)
    socket.write(asked().replace("HTTP/1.1", "HTTP/1.0"))
    await socket.until(/\r\n\r\nretry: 2000\nid: e1-0\n\n$/)
    feed.add(1)
    await socket.until(/id: e1-1\nevent: pet\.created\ndata: .*\n\n$/)
    await serving.close()
    expect(await socket.closed).toMatch(/: this service is about to stop\n\n$/)
  })
})
