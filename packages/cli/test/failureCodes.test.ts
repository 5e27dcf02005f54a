import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { FAILURE_CODES } from "../src/CommandFailed.js"

const page = readFileSync(new URL("../../../docs/command.md", import.meta.url), "utf8")

test("docs/command.md explains every code of a failure, and no other", () => {
  const explained = [...page.matchAll(/^\| `(\w+)` \| [\d, ]+ \|/gm)].map(([, code]) => code)
  expect(explained.toSorted()).toEqual([...FAILURE_CODES].toSorted())
})
