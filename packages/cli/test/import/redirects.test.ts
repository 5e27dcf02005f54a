/** The import goes where it was told to, and nowhere else. */
import { createServer, type IncomingMessage } from "node:http"
import { describe, expect, onTestFinished, test } from "vitest"
import { httpTransport } from "../../src/import/Transport.js"

const listen = async (answer: (request: IncomingMessage) => readonly [number, Record<string, string>]) => {
  const seen: Array<IncomingMessage> = []
  const server = createServer((request, response) => {
    seen.push(request)
    response.writeHead(...answer(request)).end("[]")
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

describe("the transport of an import", () => {
  test.each([301, 302, 303, 307, 308])("follows no %i, and sends the key nowhere else", async (status) => {
    const other = await listen(() => [200, {}])
    const { url, seen } = await listen(() => [status, { location: `${other.url}/pets` }])
    const { send, close } = httpTransport(new URL(url), "ps_secret", 1)
    onTestFinished(close)
    expect(await send({ method: "POST", path: "/pets", body: {} })).toMatchObject({ status })
    expect(await send({ method: "GET", path: "/pets" })).toMatchObject({ status })
    expect([seen.length, other.seen.length]).toEqual([2, 0])
  })
})
