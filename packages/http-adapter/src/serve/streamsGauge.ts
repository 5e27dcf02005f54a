/** The metric that counts open event streams. */
import type { Gauge } from "../observe/Metrics.js"

export const streamsGauge = (value: number): Gauge => ({
  name: "petstore_event_streams",
  type: "gauge",
  help: "Event streams that are open.",
  value
})
