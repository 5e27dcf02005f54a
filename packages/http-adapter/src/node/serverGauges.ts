/** The metrics of a server of its own: connections, and requests that its parser refused. */
import type { Gauge } from "../observe/Metrics.js"
import type { Connections } from "./Connections.js"
import { processGauges } from "./processGauges.js"

/** `refusals` are numbers of refused requests by their error code. */
export const serverGauges = (
  connections: Connections,
  refusals: ReadonlyMap<string, number>
): ReadonlyArray<Gauge> => [
  {
    name: "petstore_connections",
    type: "gauge",
    help: "Connections that are open.",
    value: connections.size
  },
  {
    name: "petstore_requests_running",
    type: "gauge",
    help: "Requests that are being answered.",
    value: connections.running
  },
  ...[...refusals].map(([code, value]): Gauge => ({
    name: "petstore_unread_requests_total",
    type: "counter",
    help: "What was refused before there was a request.",
    value,
    labels: { code }
  })),
  ...processGauges()
]
