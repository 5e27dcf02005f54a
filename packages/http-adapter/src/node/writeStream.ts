/** Writes an answer that goes on to a node:http response, for as long as its reader takes what is written. */
import type { ServerResponse } from "node:http"
import type { EventStream } from "../exchange/EventStream.js"
import type { Answer, OnDelivered } from "../exchange/Incoming.js"
import type { NodeIncoming } from "./NodeIncoming.js"
import type { Watch } from "./Watch.js"

/** From its header fields on, a stream is no request that runs: a server that closes ends it, and does not wait for it. */
export const writeStream = (
  response: ServerResponse,
  incoming: NodeIncoming,
  { status, headers }: Answer,
  stream: EventStream,
  watch: Watch,
  delivered: OnDelivered | undefined
): void => {
  // What is left of a body that nobody wants would keep the connection from being of use again.
  if (incoming.unread || watch.isEnding()) headers.push("Connection", "close")
  response.writeHead(status, headers)
  if (incoming.method === "HEAD") {
    response.end()
    watch.ended(response)
    delivered?.(0)
    return
  }
  let bytes = 0
  const reader = stream.open({
    write: (piece) => {
      bytes += piece.byteLength
      return response.write(piece)
    },
    end: () => response.end(),
    destroy: () => response.destroy()
  })
  response.on("drain", reader.drained.bind(reader))
  response.once("close", () => {
    reader.gone()
    delivered?.(bytes)
  })
  watch.ended(response)
}
