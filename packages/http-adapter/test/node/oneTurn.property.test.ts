import { FastCheck as fc } from "effect"
import { expect, test } from "vitest"
import { type RequestReport, serve } from "../../src/index.js"
import { openShop } from "../ShopServer.js"
import { openSocket } from "./RawSocket.js"

/** What is sent, and the statuses it is answered with. */
type Sent = { readonly data: string; readonly statuses: ReadonlyArray<string> }

const requestsOf = (key: string) => {
  const head = (line: string, ...fields: ReadonlyArray<string>) =>
    `${[line, "Host: shop.test", `X-API-Key: ${key}`, ...fields].join("\r\n")}\r\n\r\n`
  const posted = (body: string, ...fields: ReadonlyArray<string>) =>
    head(
      "POST /pets HTTP/1.1",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      ...fields
    ) + body
  const pet = '{"name":"Max","categoryId":1}'
  const kept: ReadonlyArray<Sent> = [
    { data: head("GET /pets/1 HTTP/1.1"), statuses: ["200"] },
    { data: head("HEAD /pets/1 HTTP/1.1"), statuses: ["200"] },
    { data: head("GET /pets/1 HTTP/1.1", 'If-None-Match: "1-1"'), statuses: ["304"] },
    { data: head("GET /pets/999999 HTTP/1.1"), statuses: ["404"] },
    { data: head("GET /pets?limit=0 HTTP/1.1"), statuses: ["400"] },
    { data: posted(pet), statuses: ["201"] },
    { data: posted(pet, "Expect: 100-continue"), statuses: ["100", "201"] },
    { data: posted('{"name":'), statuses: ["400"] },
    { data: posted('{"name":"Max","categoryId":9}'), statuses: ["422"] },
    { data: "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", statuses: ["200"] }
  ]
  const last: ReadonlyArray<Sent> = [
    { data: head("GET /pets/1 HTTP/1.1", "Connection: close"), statuses: ["200"] },
    { data: posted(pet, "Connection: close"), statuses: ["201"] }
  ]
  // The server goes on listening for a second after that, so it is sent once.
  const tooLarge: Sent = {
    data: head(
      "POST /pets HTTP/1.1",
      "Content-Type: application/json",
      "Content-Length: 99999999999"
    ),
    statuses: ["413"]
  }
  return { kept, last, tooLarge }
}

const counted = (statuses: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test("concurrent requests of many connections are answered completely and in order, and reported once", async () => {
  const reports: Array<RequestReport> = []
  const { store, key } = await openShop()
  const serving = await serve(store, { port: 0, onRequest: (report) => reports.push(report) })
  const { kept, last, tooLarge } = requestsOf(key)
  const script = fc
    .tuple(fc.array(fc.constantFrom(...kept), { maxLength: 6 }), fc.constantFrom(...last))
    .map(([before, end]): ReadonlyArray<Sent> => before.concat(end))
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 2, maxLength: 8 }), async (scripts) => {
      const sockets = await Promise.all(scripts.map(() => openSocket(serving.url)))
      reports.length = 0
      for (const [at, socket] of sockets.entries())
        socket.write((scripts[at] ?? []).map(({ data }) => data).join(""))
      const texts = await Promise.all(sockets.map(({ closed }) => closed))
      const told = texts.map((text) =>
        [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
      )
      expect(told).toEqual(scripts.map((each) => each.flatMap(({ statuses }) => statuses)))
      expect(counted(reports.map(({ status }) => `${status}`))).toEqual(
        counted(scripts.flatMap((each) => each.map(({ statuses }) => statuses.at(-1) ?? "")))
      )
    }),
    {
      numRuns: 50,
      examples: [[[[tooLarge], ...last.map((each) => kept.concat(each)), [...kept, tooLarge]]]]
    }
  )
  await serving.close()
  await store.close()
})
