import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { httpSender } from "../../src/webhooks/httpSender.js"
import { publicLookup } from "../../src/webhooks/publicLookup.js"

const HERE = { allowHttp: true, allowPrivateAddresses: true }
const NOW_MS = Date.UTC(2026, 0, 1)

const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Seen = { readonly request: IncomingMessage; readonly body: string }

const receiver = async (answer: (response: ServerResponse) => void) => {
  const seen: Array<Seen> = []
  const sockets = new Set<unknown>()
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
    request.on("end", () => {
      seen.push({ request, body })
      sockets.add(request.socket)
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/hooks`, seen, sockets }
}

const open = (lookup?: ReturnType<typeof publicLookup>) => {
  const sender = httpSender({ nowMs: () => NOW_MS, ...(lookup === undefined ? {} : { lookup }) })
  closing.push(sender.close)
  return sender
}

const message = (url: string, rules = HERE) => ({
  url,
  rules,
  headers: { "content-type": "application/json", "webhook-id": "msg_1" },
  body: '{"name":"Zoë"}'
})

const patient = () => new AbortController().signal

/** Answers every question with these addresses. */
const leadsTo = (...addresses: ReadonlyArray<string>) =>
  publicLookup((_hostname, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    )
  )

describe("the sender", () => {
  it("posts the body as it is, and keeps the connection for the next message", async () => {
    const { url, seen, sockets } = await receiver((response) => response.writeHead(204).end())
    const { send } = open()
    expect(await send(message(url), patient())).toMatchObject({ status: 204 })
    expect(await send(message(url), patient())).toMatchObject({ status: 204 })
    expect(seen).toHaveLength(2)
    const [first] = seen
    expect(first?.request.method).toBe("POST")
    expect(first?.body).toBe('{"name":"Zoë"}')
    expect(first?.request.headers).toMatchObject({ "webhook-id": "msg_1", "content-length": "15" })
    expect(sockets.size).toBe(1)
  })

  it("follows no redirect", async () => {
    const other = await receiver((response) => response.end())
    const { url } = await receiver((response) =>
      response.writeHead(307, { location: other.url }).end()
    )
    expect(await open().send(message(url), patient())).toMatchObject({ status: 307 })
    expect(other.seen).toHaveLength(0)
  })

  it("says what Retry-After asks for, in seconds or as a date", async () => {
    let field = "120"
    const { url } = await receiver((response) =>
      response.writeHead(503, { "retry-after": field }).end()
    )
    const { send } = open()
    expect(await send(message(url), patient())).toMatchObject({ retryAfterMs: 120_000 })
    for (const date of [
      "Thu, 01 Jan 2026 00:01:00 GMT",
      "Thursday, 01-Jan-26 00:01:00 GMT",
      "Thu Jan  1 00:01:00 2026"
    ]) {
      field = date
      expect(await send(message(url), patient())).toMatchObject({ retryAfterMs: 60_000 })
    }
    field = "soon"
    expect(await send(message(url), patient())).not.toHaveProperty("retryAfterMs")
  })

  it("reads no more than the beginning of an answer that does not end", async () => {
    const { url } = await receiver((response) => {
      response.writeHead(500)
      const more = () => {
        if (!response.destroyed && response.write("x".repeat(1_024))) setImmediate(more)
      }
      response.on("drain", more)
      more()
    })
    const result = await open().send(message(url), patient())
    expect(result).toMatchObject({ status: 500 })
    expect(result.detail).toHaveLength(2_048)
  })

  it("takes the status of a success without waiting for the rest", async () => {
    const { url } = await receiver((response) => response.writeHead(200).write("…"))
    expect(await open().send(message(url), patient())).toMatchObject({ status: 200 })
  })

  it("stops when the signal is aborted", async () => {
    const given = new AbortController()
    const { url } = await receiver(() => given.abort())
    expect(await open().send(message(url), given.signal)).toMatchObject({ problem: "unreachable" })
  })

  it("calls a receiver that hangs up unreachable", async () => {
    const server = createTcpServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const result = await open().send(message(`http://127.0.0.1:${port}/`), patient())
    expect(result).toEqual({ problem: "unreachable", detail: "ECONNRESET" })
  })

  it("calls what does not speak HTTP unreachable, in a word and without its bytes", async () => {
    const server = createTcpServer((socket) => socket.end("SSH-2.0-secret\r\n"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    const result = await open().send(message(`http://127.0.0.1:${port}/`), patient())
    expect(result).toMatchObject({ problem: "unreachable" })
    expect(JSON.stringify(result)).not.toContain("secret")
  })
})

describe("a receiver at a private address", () => {
  const rules = { allowHttp: true, allowPrivateAddresses: false }

  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "[::ffff:127.0.0.1]",
    "localhost"
  ])("is sent nothing when it is written as %s", async (host) => {
    const { port, seen } = await receiver((response) => response.end())
    const result = await open().send(message(`http://${host}:${port}/`, rules), patient())
    expect(result).toMatchObject({ problem: "forbidden" })
    expect(seen).toHaveLength(0)
  })

  it.each([["127.0.0.1"], ["::1"], ["169.254.169.254"], ["::ffff:127.0.0.1", "10.0.0.1"]])(
    "is sent nothing when a name leads to %s",
    async (...addresses) => {
      const { port, seen } = await receiver((response) => response.end())
      const sender = open(leadsTo(...addresses))
      const result = await sender.send(message(`http://shop.example:${port}/`, rules), patient())
      expect(result).toMatchObject({ problem: "forbidden" })
      expect(seen).toHaveLength(0)
    }
  )

  it("is sent nothing on a connection that was kept from messages that may go there", async () => {
    const { port, seen } = await receiver((response) => response.end())
    const sender = open()
    await sender.send(message(`http://localhost:${port}/`), patient())
    const result = await sender.send(message(`http://localhost:${port}/`, rules), patient())
    expect(result).toMatchObject({ problem: "forbidden" })
    expect(seen).toHaveLength(1)
  })
})

describe("the look-up", () => {
  const addressesOf = (all: boolean, ...addresses: ReadonlyArray<string>) =>
    new Promise((resolve) =>
      leadsTo(...addresses)("shop.example", { all }, (error, ...found) =>
        resolve(error?.name ?? found)
      )
    )

  it("uses only the public ones of several addresses", async () => {
    expect(await addressesOf(true, "10.0.0.1", "1.1.1.1", "fd00::1")).toEqual([
      [{ address: "1.1.1.1", family: 4 }]
    ])
    expect(await addressesOf(false, "10.0.0.1", "2606:4700::1111")).toEqual(["2606:4700::1111", 6])
    expect(await addressesOf(true, "10.0.0.1")).toBe("ForbiddenAddress")
  })
})
