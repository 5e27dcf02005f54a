import { once } from "node:events"
import { openSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { isLongerThan } from "../src/isLongerThan.js"
import { aFile } from "./aFile.js"

test("a file is longer than what it has a byte behind, and one that is not there is never longer", () => {
  const file = aFile()
  expect(isLongerThan(file, 0)).toBe(false)
  writeFileSync(file, "")
  expect(isLongerThan(file, 0)).toBe(false)
  writeFileSync(file, "four")
  expect([0, 3, 4, 5, 2 ** 40].map((bytes) => isLongerThan(file, bytes))).toEqual([
    true,
    true,
    false,
    false,
    false
  ])
})

test("any bound is a bound, none at all and half a byte too", () => {
  const file = aFile()
  writeFileSync(file, "four")
  expect(
    [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, 3.5, 4.5, -1].map((bytes) =>
      isLongerThan(file, bytes)
    )
  ).toEqual([false, false, true, false, true])
})

test("what can't be opened is told by its size", async () => {
  const socket = aFile()
  const server = createServer().listen(socket)
  onTestFinished(() => void server.close())
  await once(server, "listening")
  expect(() => openSync(socket, "r")).toThrow("ENXIO")
  expect([-1, 0].map((bytes) => isLongerThan(socket, bytes))).toEqual([true, false])
})
