/** docs/adding-a-record.md, done in a copy of the repository. */
import { execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")

const page = readFileSync(join(root, "docs/adding-a-record.md"), "utf8")

type Block = { readonly path: string; readonly lines: ReadonlyArray<string> }

const blocks = (language: string, heading: RegExp): ReadonlyArray<Block> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, text = ""]) => {
      const [first = "", ...lines] = text.trimEnd().split("\n")
      const path = heading.exec(first)?.[1]
      if (path === undefined) throw new Error(`no path in the block that begins with ${first}`)
      return { path, lines }
    }
  )

const newFiles = blocks("ts", /^\/\/ (\S+)$/)

const edits = blocks("diff", /^--- (\S+)$/)

const linesOf = (hunk: ReadonlyArray<string>, other: "+" | "-"): string =>
  hunk
    .filter((line) => !line.startsWith(other))
    .map((line) => line.slice(1))
    .join("\n")

/** The text with each hunk of the block applied; each must be there exactly once. */
const edited = (text: string, { path, lines }: Block): string =>
  lines
    .join("\n")
    .split("\n@@\n")
    .map((hunk) => hunk.split("\n"))
    .reduce((before, hunk) => {
      const pieces = `\n${before}`.split(`\n${linesOf(hunk, "+")}\n`)
      if (pieces.length !== 2) throw new Error(`${path}: ${pieces.length - 1} times ${hunk[0]}`)
      return pieces.join(`\n${linesOf(hunk, "-")}\n`).slice(1)
    }, text)

const copy = mkdtempSync(join(tmpdir(), "petstore-record-"))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** The sources, with the dependencies linked and the packages of the copy among them. */
const makeCopy = (): void => {
  const isSource = (path: string) => !["node_modules", "dist"].includes(basename(path))
  for (const name of readdirSync(root))
    if (isSource(name) && !name.startsWith("."))
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: isSource })
  const linked = (from: string, to: string, own: ReadonlyArray<string> = []) => {
    mkdirSync(to)
    for (const name of readdirSync(from))
      if (!own.includes(name) && !name.startsWith("."))
        symlinkSync(join(from, name), join(to, name))
  }
  linked(join(root, "node_modules"), join(copy, "node_modules"), ["@petstore"])
  mkdirSync(join(copy, "node_modules/@petstore"))
  for (const name of readdirSync(join(root, "packages")))
    symlinkSync(join(copy, "packages", name), join(copy, "node_modules/@petstore", name))
  for (const name of ["test", "examples"]) {
    symlinkSync(join(copy, name), join(copy, "node_modules/@petstore", name))
    const dependencies = join(root, name, "node_modules")
    if (existsSync(dependencies)) linked(dependencies, join(copy, name, "node_modules"))
  }
}

const run = async (...args: ReadonlyArray<string>): Promise<string> => {
  const done = promisify(execFile)(process.execPath, args, { cwd: copy, maxBuffer: 1e8 })
  return done.then(
    () => "passed",
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => stdout + stderr
  )
}

test("a record takes at most ten source files, four of them new", () => {
  const isSource = ({ path }: Block) => path.includes("/src/")
  expect(newFiles.filter(isSource).length).toBeLessThanOrEqual(4)
  expect([...newFiles, ...edits].filter(isSource).length).toBeLessThanOrEqual(10)
})

test("a hunk that is not in its file exactly once is refused", () => {
  const block = { path: "a.ts", lines: [" a", "+b"] }
  expect(edited("a\nc\n", block)).toBe("a\nb\nc\n")
  expect(() => edited("c\n", block)).toThrow("a.ts: 0 times  a")
  expect(() => edited("a\nc\na\n", block)).toThrow("a.ts: 2 times  a")
})

test("the record of the page compiles, is served, described, stored and in the feed", async () => {
  makeCopy()
  for (const { path, lines } of newFiles) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), `${lines.join("\n")}\n`)
  }
  for (const block of edits) {
    const file = join(copy, block.path)
    writeFileSync(file, edited(readFileSync(file, "utf8"), block))
  }
  const compiler = "node_modules/@typescript/native/bin/tsc"
  expect(await run(compiler, "-b")).toBe("passed")
  expect(await run(compiler, "-p", "tsconfig.test.json")).toBe("passed")
  const tests = [
    "test/shop/suppliers.test.ts",
    "test/architecture/groups.test.ts",
    "test/architecture/tables.test.ts",
    "test/architecture/layers.test.ts",
    "test/architecture/documented.test.ts",
    "test/conformance/memory.test.ts",
    "packages/http-adapter/test/contract",
    "packages/http-adapter/test/openapi",
    "packages/cli/test/status",
    "packages/storage-sqlite/test/schema.test.ts",
    "packages/storage-sqlite/test/bounds.test.ts",
    "packages/storage-sqlite/test/migrations.test.ts",
    "packages/storage-sqlite/test/upgrade.test.ts",
    "packages/storage-sqlite/test/journal.test.ts",
    "packages/storage-sqlite/test/restore.test.ts",
    "packages/storage-sqlite/test/status.test.ts",
    "packages/core/test/shop/change"
  ]
  expect(await run("node_modules/vitest/vitest.mjs", "run", ...tests)).toBe("passed")
}, 600_000)
