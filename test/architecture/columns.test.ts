/**
 * Code, comments and prose have at most 100 columns: sources of packages, examples, scripts and
 * benchmarks without exception. In other code a line may be longer that has an address, or a text
 * or a pattern that reaches over the bound; in Markdown, those of tables and code, and a line that
 * is one link.
 */
import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"

const COLUMNS = 100

const root = join(import.meta.dirname, "../..")

const OMITTED = new Set(["node_modules", "dist", ".git"])

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (OMITTED.has(entry.name) || path === "docs/api") return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

type Span = { readonly start: number; readonly end: number }

/** A line that is too long, and where it is in its file. */
type Long = { readonly number: number; readonly text: string; readonly start: number }

const longLines = (text: string): ReadonlyArray<Long> => {
  let start = 0
  return text.split("\n").flatMap((line, at) => {
    const long = { number: at + 1, text: line, start }
    start += line.length + 1
    return line.length > COLUMNS ? [long] : []
  })
}

const isAddress = ({ text }: Long): boolean => /https?:\/\//.test(text)

/** Texts, templates and patterns: a formatter leaves them on one line. */
const unbreakable = (path: string, text: string): ReadonlyArray<Span> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const spans: Array<Span> = []
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateExpression(node) ||
      ts.isTemplateLiteralTypeNode(node) ||
      ts.isRegularExpressionLiteral(node)
    if (isText) spans.push({ start: node.getStart(file), end: node.end })
    else ts.forEachChild(node, visit)
  }
  visit(file)
  return spans
}

/**
 * What may follow a text on its line: closing brackets, or the function of a test with that title.
 */
const REST = /^(?:[\s),;\]}]*|, \{|, (?:async )?\([^()]*\) => ?[{(]?|, function ?\* ?\(\) \{)$/

const isOfOneText = ({ text, start }: Long, spans: ReadonlyArray<Span>): boolean =>
  spans.some(
    (span) =>
      span.start < start + text.length &&
      span.end > start &&
      (span.end > start + COLUMNS || REST.test(text.slice(span.end - start)))
  )

const numbersOf = (path: string, lines: ReadonlyArray<Long>): ReadonlyArray<string> =>
  lines.map((line) => `${path}:${line.number}`)

const SOURCE = /^(?:packages\/[^/]+\/src|examples|scripts|test\/bench)\//

const tooLongInCode = (path: string, text: string): ReadonlyArray<string> => {
  if (SOURCE.test(path.replaceAll("\\", "/"))) return numbersOf(path, longLines(text))
  const long = longLines(text).filter(
    (line) => !isAddress(line) && !/oxlint-disable/.test(line.text)
  )
  if (long.length === 0) return []
  const spans = unbreakable(path, text)
  return numbersOf(
    path,
    long.filter((line) => !isOfOneText(line, spans))
  )
}

/** The text without tables and code, in as many lines. */
const prose = (text: string): string =>
  text.replace(/^ *```[^]*?^ *```/gm, (code) => code.replace(/.+/g, "")).replace(/^ *\|.*$/gm, "")

/** A link, or an image, and nothing else. */
const isOneLink = ({ text }: Long): boolean => /^\W*\[[^\]]*\]\([^)]*\)\W*$/.test(text)

const tooLongInProse = (path: string, text: string): ReadonlyArray<string> =>
  numbersOf(
    path,
    longLines(prose(text)).filter((line) => !isAddress(line) && !isOneLink(line))
  )

const CODE = new Set([".ts", ".mjs", ".js"])

describe("at most 100 columns", () => {
  const files = filesBelow(".")

  test("has all code, with its comments", () => {
    const code = files.filter((file) => CODE.has(extname(file)))
    expect(code.length).toBeGreaterThan(500)
    expect(code.filter((file) => SOURCE.test(file)).length).toBeGreaterThan(400)
    expect(
      code.flatMap((file) => tooLongInCode(file, readFileSync(join(root, file), "utf8")))
    ).toEqual([])
  })

  test("has all prose", () => {
    const pages = files.filter((file) => extname(file) === ".md")
    expect(pages.length).toBeGreaterThan(30)
    expect(
      pages.flatMap((file) => tooLongInProse(file, readFileSync(join(root, file), "utf8")))
    ).toEqual([])
  })
})

const x = (count: number): string => "x ".repeat(count)

describe("a line that is too long is found", () => {
  test.each([
    ["of a comment", `/** ${x(60)}*/\nconst a = 1`],
    ["of a comment behind code", `const a = 1 // ${x(50)}`],
    ["of code", `const a = [${"1, ".repeat(40)}1]`],
    ["with a short text in it", `const a = ["b", ${"1, ".repeat(40)}1]`]
  ])("%s", (_line, code) => expect(tooLongInCode("a.ts", code)).toEqual(["a.ts:1"]))

  test.each([
    ["with a text", `const a = "${x(60)}"`],
    ["with a pattern", `const a = /${x(60)}/.test(b)`],
    ["with an address", `// https://example.test/${x(60)}`]
  ])("of a source %s", (_line, code) =>
    expect(tooLongInCode("packages/core/src/a.ts", code)).toEqual(["packages/core/src/a.ts:1"])
  )

  test("of prose", () => expect(tooLongInProse("a.md", `# A\n\n- ${x(60)}\n`)).toEqual(["a.md:3"]))
})

describe("a line that nobody can break is not", () => {
  test.each([
    ["with a text", `const a = "${x(60)}"`],
    ["with a template over lines", `const a = \`\n${x(60)}\n\``],
    ["with a pattern", `const a = /${x(60)}/.test(b)`],
    ["with the title of a test", `test("${x(47)}", async () => {\n})`],
    ["with an address", `// https://example.test/${x(60)}`]
  ])("%s", (_line, code) => expect(tooLongInCode("a.ts", code)).toEqual([]))

  test.each([
    ["of a table", `| ${x(60)} |`],
    ["of code", `\`\`\`sh\n${x(60)}\n\`\`\``],
    ["of one link", `![${x(20)}](${"x".repeat(70)})`]
  ])("%s", (_line, page) => expect(tooLongInProse("a.md", page)).toEqual([]))
})
