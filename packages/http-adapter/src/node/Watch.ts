/** What a server of our own keeps an eye on, so that it can shut down, and answer malformed requests, in order. */
import type { ServerResponse } from "node:http"

export type Watch = {
  /** A request has come in that will be answered. */
  readonly started: (response: ServerResponse) => void
  /** It has been answered, or its caller has vanished; bytes of the answer may still be on their way. */
  readonly ended: (response: ServerResponse) => void
  /** Whether the server is shutting down: answers then end their connections. */
  readonly isClosing: () => boolean
}
