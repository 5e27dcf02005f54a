/** The connections of an import: to the given URL, and nowhere else. */
import { createServer, type IncomingMessage } from "node:http"
import { describe, expect, onTestFinished, test } from "vitest"
import { nodeTransport } from "../../../src/import/service/nodeTransport.js"
import { RetryBudget } from "../../../src/import/service/RetryBudget.js"
import { Service } from "../../../src/import/service/Service.js"
import { virtualTime } from "../virtualTime.js"

const listen = async (
  answer: (request: IncomingMessage) => readonly [number, Record<string, string>]
) => {
  const seen: Array<IncomingMessage> = []
  const server = createServer((request, response) => {
    seen.push(request)
    response.writeHead(...answer(request)).end("[]")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { url: `http://127.0.0.1:${address.port}`, seen, close }
}

const serviceAt = (text: string) => {
  const url = new URL(text)
  const time = virtualTime()
  const budget = new RetryBudget(time, new AbortController().signal, 1_000)
  const { transport, close } = nodeTransport(url, 1)
  onTestFinished(close)
  return new Service({ url, key: "ps_secret", transport, nowMs: time.nowMs }, budget)
}

const PET = { name: "Rex", categoryId: 1 }

describe("an import", () => {
  test.each([301, 302, 303, 307, 308])(
    "follows no %i, and sends the key nowhere else",
    async (status) => {
      const other = await listen(() => [200, {}])
      const { url, seen } = await listen(() => [status, { location: `${other.url}/pets` }])
      const service = serviceAt(url)
      const message = `the service answers ${status}: it is at ${other.url}; give that with --url`
      await expect(service.add(PET, "key")).rejects.toThrow(message)
      await expect(service.newestPet()).rejects.toThrow(message)
      expect([seen.length, other.seen.length]).toEqual([2, 0])
    }
  )

  test.each([
    ["/shop/pets?limit=1", "it is at URL/shop; give that with --url"],
    [
      "https://user:pass@shop.example/v1/pets",
      "it is at https://shop.example/v1; give that with --url"
    ],
    ["/elsewhere", "points to URL/elsewhere: is --url right?"]
  ])(
    "says where a redirect to %s leads, without a user and a password",
    async (location, where) => {
      const { url } = await listen(() => [308, { location }])
      await expect(serviceAt(url).newestPet()).rejects.toThrow(where.replace("URL", url))
    }
  )

  test("says that nothing listens at a port", async () => {
    const { url, close } = await listen(() => [200, {}])
    close()
    await expect(serviceAt(url).newestPet()).rejects.toThrow(
      "nothing listens there (tried 5 times)"
    )
  })

  test("says that a connection broke", async () => {
    const { url } = await listen((request) => {
      request.socket.destroy()
      return [200, {}]
    })
    const result = await serviceAt(url).add(PET, "key")
    expect(result).toEqual({ kind: "inDoubt", why: "the connection broke" })
  })

  test("calls the service below the path of its URL", async () => {
    const { url, seen } = await listen(() => [200, {}])
    await serviceAt(`${url}/shop/`).newestPet()
    expect(seen[0]?.url).toMatch(/^\/shop\/pets\?/)
    expect(seen[0]?.headers).toMatchObject({
      "x-api-key": "ps_secret",
      "user-agent": "petstore-import"
    })
  })
})
