import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "examples")
const programs = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))

describe("every example", () => {
  it.each(programs)("%s prints what it should", async (program) => {
    const ran = promisify(execFile)(process.execPath, [join(folder, "dist", `${program}.js`)], {
      timeout: 30_000
    })
    expect((await ran).stdout).toBe(readFileSync(join(folder, `${program}.expected.txt`), "utf8"))
  })
})

const nodeTests = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".node-test.ts") && !file.startsWith("node_modules"))
  .map((file) => file.slice(0, -".ts".length))

describe("every example for node:test", () => {
  it.each(nodeTests)("%s passes", async (program) => {
    const args = ["--test", "--test-reporter=tap", join(folder, "dist", `${program}.js`)]
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000, env })
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(stdout).toMatch(/^# pass [1-9]/m)
  })
})

/** Code blocks that a page takes from a program: the block after a comment that names the file. */
const pages = [
  "README.md",
  "docs/embedding.md",
  "docs/changes.md",
  "docs/webhooks.md",
  "docs/adding-a-storage.md"
]
const extracts = pages.flatMap((page) =>
  [
    ...readFileSync(join(root, page), "utf8").matchAll(/<!-- from (\S+) -->\n```\w+\n(.*?)```/gs)
  ].map(([, file = "", code = ""]) => [page, file, code] as const)
)

describe("what pages show of programs", () => {
  it.each(pages)("is there in %s", (page) => expect(extracts.map(([from]) => from)).toContain(page))

  it.each(extracts)("in %s is %s as it is", (_page, file, code) =>
    expect(readFileSync(join(root, file), "utf8")).toContain(code)
  )
})
