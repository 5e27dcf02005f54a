/**
 * A pet store as a process of its own, which profiles itself between two messages and answers the
 * second with the shares of the steps.
 */
import { Session } from "node:inspector/promises"
import { petstore } from "../peers/petstore.js"
import { sharesOf } from "./sharesOf.js"

const INTERVAL_MICROS = 100

const session = new Session()
session.connect()
await session.post("Profiler.enable")
await session.post("Profiler.setSamplingInterval", { interval: INTERVAL_MICROS })

const begin = async (): Promise<string> => {
  await session.post("Profiler.start")
  return "begun"
}

const end = async () => sharesOf((await session.post("Profiler.stop")).profile)

process.on("message", (asked) => {
  void (asked === "begin" ? begin() : end()).then((answer) => process.send?.(answer))
})
process.on("disconnect", () => process.exit(0))

const { port, key } = await petstore(process.argv[2] === "file" ? "file" : "memory")
process.send?.({ port, key })
