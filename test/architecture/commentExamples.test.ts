/**
 * The examples in doc comments, of every package: each compiles as it stands, beside a few names
 * that it may take as given.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")

/** What stands around an example. */
const GIVEN = `
import { createServer } from "node:http"
import { Config, Effect, Layer, Stream } from "effect"
import { OrderingPolicy, PetStore, type OpenPetStore } from "@petstore/core"
import { changesStream } from "@petstore/core/changes"
import { serve, toNodeHandler, toWebHandler } from "@petstore/http-adapter"
import { fetchTransport, petStoreClient, type PetStoreClient } from "@petstore/http-adapter/client"
import { deliverWebhooks } from "@petstore/http-adapter/webhooks"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
declare const store: OpenPetStore
declare const shop: PetStoreClient
declare const key: string
declare const filename: string
declare const loadEverything: () => Promise<void>
declare const ship: (record: object) => void
`

/** The lines after the tag, up to the next tag or the end of the comment. */
const EXAMPLE = /@example\n((?:\s*\* (?!@).*\n)+)/g

const examples = readdirSync(join(root, "packages")).flatMap((name) => {
  const source = join(root, "packages", name, "src")
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      [...readFileSync(join(source, file), "utf8").matchAll(EXAMPLE)].map(
        ([, lines = ""], index) => ({
          name: `${name}/${file} ${index + 1}`,
          code: lines.replace(/^\s*\* /gm, "")
        })
      )
    )
})

/**
 * A file that there isn't, in which each example is the body of a function where everything may be
 * waited for and yielded.
 */
const FILE = join(root, "examples/commented.ts")
const bodies = examples.map(({ code }, at) => `async function* example${at}() {\n${code}}\n`)
const text = `${GIVEN}${bodies.join("")}`

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.docs.json"), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  root
)
const settings = { ...options, noUnusedLocals: false, noUnusedParameters: false }
const host = ts.createCompilerHost(settings)
const program = ts.createProgram([FILE], settings, {
  ...host,
  fileExists: (file) => file === FILE || host.fileExists(file),
  readFile: (file) => (file === FILE ? text : host.readFile(file)),
  getSourceFile: (file, version) =>
    file === FILE ? ts.createSourceFile(file, text, version) : host.getSourceFile(file, version)
})
const source = program.getSourceFile(FILE)
const problems = program
  .getSemanticDiagnostics(source)
  .concat(program.getSyntacticDiagnostics(source))

const lineOf = (position: number): number => text.slice(0, position).split("\n").length

test.each(examples.map(({ name }, at) => [name, at] as const))(
  "the example in %s compiles",
  (_name, at) => {
    const before = GIVEN + bodies.slice(0, at).join("")
    const [from, to] = [lineOf(before.length), lineOf(before.length + (bodies[at]?.length ?? 0))]
    const own = problems.filter(({ start = 0 }) => lineOf(start) >= from && lineOf(start) < to)
    expect(
      own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
    ).toEqual([])
  }
)

test("there are examples of every package that is called", () => {
  const packages = new Set(examples.map(({ name }) => name.split("/")[0]))
  expect(packages).toEqual(new Set(["core", "http-adapter", "storage-memory", "storage-sqlite"]))
})
