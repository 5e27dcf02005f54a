/** The metrics of the process, by the names that Prometheus' own clients use. */
import process from "node:process"
import type { Gauge } from "../observe/Metrics.js"

const STARTED_SECONDS = Math.round(Date.now() / 1_000 - process.uptime())

export const processGauges = (): ReadonlyArray<Gauge> => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return [
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "Processor time used, in seconds.",
      value: (user + system) / 1_000_000
    },
    {
      name: "process_resident_memory_bytes",
      type: "gauge",
      help: "Memory in use, in bytes.",
      value: rss
    },
    {
      name: "nodejs_heap_size_used_bytes",
      type: "gauge",
      help: "Memory in use on the heap of JavaScript, in bytes.",
      value: heapUsed
    },
    {
      name: "process_start_time_seconds",
      type: "gauge",
      help: "When the process began, as a Unix timestamp in seconds.",
      value: STARTED_SECONDS
    }
  ]
}
