/** A server that takes webhooks and keeps what it got, for tests of whole processes. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse
} from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { onTestFinished } from "vitest"

export type Message = {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly sequence: number
}

export type WebhookReceiver = {
  readonly url: string
  readonly messages: ReadonlyArray<Message>
  /** Until so many have come. */
  readonly got: (count: number) => Promise<void>
  /**
   * What it answers from now on, 204 at first; "nothing" leaves whoever sends without an answer.
   */
  readonly answer: (status: number | "nothing") => void
}

export const webhookReceiver = async (): Promise<WebhookReceiver> => {
  const messages: Array<Message> = []
  const waiting = new Set<() => void>()
  let status: number | "nothing" = 204
  const take = async ({ headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(response.req)
    const { data }: { readonly data: { readonly sequence: number } } = JSON.parse(body)
    messages.push({ id: String(headers["webhook-id"]), headers, body, sequence: data.sequence })
    if (status !== "nothing") response.writeHead(status).end()
    for (const look of waiting) look()
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    messages,
    got: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (messages.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    answer: (next) => void (status = next)
  }
}

/** Throws unless the message is signed by this secret, and not long ago. */
export const verify = (secret: string, { headers, body }: Message): unknown =>
  new Webhook(secret).verify(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  )
