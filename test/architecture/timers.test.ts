/**
 * What a host embeds never reads a timer, or a clock that is never set, from the globals: a test of
 * the host may have replaced them. Each package takes what it needs once, in a file `timers.ts`.
 * The command is a process of its own, in which nobody replaces anything.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")

const EMBEDDED = ["core", "storage-memory", "storage-sqlite", "storage-conformance", "http-adapter"]

const REPLACED: ReadonlySet<string> = new Set([
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "queueMicrotask",
  "requestAnimationFrame",
  "requestIdleCallback",
  "performance",
  "hrtime",
  "nextTick"
])

/** What is replaced as a member of an object that is itself left alone. */
const MEMBERS: ReadonlySet<string> = new Set(["hrtime", "nextTick"])

const isReplacedModule = (specifier: string): boolean =>
  /^(node:)?(timers(\/promises)?|perf_hooks)$/.test(specifier)

/** The names that a file imports from a `timers.ts`. */
const takenBy = (source: ts.SourceFile): ReadonlySet<string> =>
  new Set(
    source.statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
        return []
      const bindings = statement.importClause?.namedBindings
      return statement.moduleSpecifier.text.endsWith("/timers.js") &&
        bindings !== undefined &&
        ts.isNamedImports(bindings)
        ? bindings.elements.map(({ name }) => name.text)
        : []
    })
  )

/** Each use of a global that may have been replaced, as text. */
const usesIn = (text: string): ReadonlyArray<string> => {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.ES2023, true)
  const taken = takenBy(source)
  const uses: Array<string> = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const { moduleSpecifier } = node
      if (ts.isStringLiteral(moduleSpecifier) && isReplacedModule(moduleSpecifier.text))
        uses.push(node.getText(source))
      return
    }
    if (ts.isPropertyAccessExpression(node)) {
      const isGlobal = ts.isIdentifier(node.expression) && node.expression.text === "globalThis"
      if (MEMBERS.has(node.name.text) || (isGlobal && REPLACED.has(node.name.text)))
        uses.push(node.getText(source))
      return visit(node.expression)
    }
    if (ts.isIdentifier(node) && REPLACED.has(node.text) && !taken.has(node.text))
      uses.push(node.text)
    ts.forEachChild(node, visit)
    return undefined
  }
  visit(source)
  return uses
}

test("no file of an embedded package uses a timer that was not taken when it was loaded", () => {
  const wrong = EMBEDDED.flatMap((name) => {
    const folder = join(root, "packages", name, "src")
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /(^|\/)(?!timers\.ts$)[^/]+\.ts$/.test(file))
      .flatMap((file) =>
        usesIn(readFileSync(join(folder, file), "utf8")).map((use) => `${name}/src/${file}: ${use}`)
      )
  })
  expect(wrong).toEqual([])
})

test.each([
  "setTimeout(run, 1)",
  "globalThis.setImmediate(run)",
  "performance.now()",
  "process.hrtime.bigint()",
  "process.nextTick(run)",
  "const { setTimeout: later } = globalThis",
  'import { setTimeout as pause } from "node:timers/promises"'
])("%s is found", (text) => expect(usesIn(text)).not.toEqual([]))

test.each([
  "socket.setTimeout(1_000)",
  'import { setTimeout } from "../timers.js"\nsetTimeout(run, 1)',
  "// setTimeout would do"
])("%s is none", (text) => expect(usesIn(text)).toEqual([]))
