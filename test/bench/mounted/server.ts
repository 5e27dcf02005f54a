/**
 * One host as a process: `server.js HOST SIDE`. Every message is answered with the processor time
 * that the process has used, in microseconds. It ends with whoever started it.
 */
import type { Target } from "../http/works.js"
import { type HostName, isHostName, isSide, type Side } from "./hosts.js"

// Loaded on demand: Bun and Deno need not load the frameworks of Node.
const START: Readonly<Record<HostName, () => Promise<(side: Side) => Promise<Target>>>> = {
  "node-server": async () => (await import("./fetchHosts.js")).nodeServer,
  bun: async () => (await import("./fetchHosts.js")).bun,
  deno: async () => (await import("./fetchHosts.js")).deno,
  express: async () => (await import("./nodeHosts.js")).express,
  fastify: async () => (await import("./nodeHosts.js")).fastify
}

const [host, side] = process.argv.slice(2)
if (!isHostName(host) || !isSide(side)) throw new Error("usage: server.js HOST SIDE")

process.on("message", () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on("disconnect", () => process.exit(0))

const start = await START[host]()
const { port, key } = await start(side)
process.send?.({ port, key })
