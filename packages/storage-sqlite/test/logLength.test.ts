import { writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { isLongerThan } from "../src/logLength.js"
import { aFile, aFolder } from "./aFile.js"

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

test("what can't be read is told", () => {
  expect(() => isLongerThan(aFolder(), 0)).toThrow("EISDIR")
})
