/** Writes an event stream to a node:http response, as fast as its reader takes it. */
import type { ServerResponse } from "node:http"
import type { EventStream } from "../exchange/EventStream.js"
import type { Answer, OnDelivered } from "../exchange/Incoming.js"
import type { NodeIncoming } from "./NodeIncoming.js"
import type { ServerHooks } from "./ServerHooks.js"

/** After its header fields a stream is no running request: a server that closes ends it. */
export const writeStream = (
  response: ServerResponse,
  incoming: NodeIncoming,
  { status, headers }: Answer,
  stream: EventStream,
  hooks: ServerHooks,
  onDelivered: OnDelivered | undefined
): void => {
  // An unread body would keep the connection from being used again.
  if (incoming.unread || hooks.isEnding()) headers.push("Connection", "close")
  response.writeHead(status, headers)
  if (incoming.method === "HEAD") {
    response.end()
    hooks.onEnd(response)
    onDelivered?.(0)
    return
  }
  let bytes = 0
  const writer = stream.open({
    write: (chunk) => {
      bytes += chunk.byteLength
      return response.write(chunk)
    },
    end: () => response.end(),
    destroy: () => response.destroy()
  })
  response.on("drain", writer.drained.bind(writer))
  response.once("close", () => {
    writer.gone()
    onDelivered?.(bytes)
  })
  hooks.onEnd(response)
}
