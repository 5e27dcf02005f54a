/**
 * The pet store of one version as a process of its own. It is copied, with what it imports, into
 * the checkout of the version, whose `@petstore/*` it then loads. Every message is answered with
 * the processor time that the process has used, in microseconds. It ends with whoever started it.
 */
import { petstore } from "../peers/petstore.js"

process.on("message", () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on("disconnect", () => process.exit(0))

const { port, key } = await petstore(process.argv[2] === "file" ? "file" : "memory")
process.send?.({ port, key, core: import.meta.resolve("@petstore/core") })
