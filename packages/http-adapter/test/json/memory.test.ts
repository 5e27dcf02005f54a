import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Either } from "effect"
import { expect, it } from "vitest"
import { parseJson } from "../../src/json/StrictJson.js"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

const heapMegabytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

it("a string keeps nothing else of the body it came in", () => {
  const before = heapMegabytes()
  const names = Array.from({ length: 60 }, (_, nth) => {
    const body = `{"name":"The dog with number ${nth}"${" ".repeat(1_000_000)}}`
    return Either.getOrThrow(parseJson(Buffer.from(body).toString("utf8")))
  })
  expect(heapMegabytes() - before).toBeLessThan(20)
  expect(names).toHaveLength(60)
})
