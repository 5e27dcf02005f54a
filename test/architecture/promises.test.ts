/**
 * Most results are available at once, and some are promises. One file of core distinguishes the
 * two, and the rest of the code calls its functions.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const packages = join(import.meta.dirname, "../../packages")

const tellsApart = (source: string): boolean =>
  /instanceof\s+Promise\b|"then"\s+in\b|\.then\s*[!=]==/.test(source)

test("only maybePromise.ts asks whether an answer is a promise", () => {
  const found = readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(name, "src", file))
      .filter((file) => tellsApart(readFileSync(join(packages, file), "utf8")))
  )
  expect(found).toEqual(["core/src/value/maybePromise.ts"])
})

test.each([
  "if (answer instanceof Promise) return",
  'if ("then" in answer) return',
  'typeof answer.then === "function"'
])("%s is found", (source) => expect(tellsApart(source)).toBe(true))
