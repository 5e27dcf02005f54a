/**
 * What the documentation says of the repository: its paths exist, and files have the names it gives
 * them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { describe, expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")

const OMITTED = new Set([".git", "dist", "node_modules", "api"])

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return OMITTED.has(entry.name) && path !== "packages/core/src/api" ? [] : filesBelow(path)
  })

const files = filesBelow(".")
const pages = files.filter((file) => file.endsWith(".md"))

const LINK = /\[((?:[^\][]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g
const PATH_IN_CODE = /`([\w@.-]+(?:\/[\w@.-]+)+\.(?:ts|mjs|js|md|json|yml))`/g
const NAME_IN_CODE = /`([^`]+)`/g

type Link = { readonly text: string; readonly target: string }

const prose = (text: string): string => text.replace(/^ *```[^]*?^ *```/gm, "")

const linksOf = (text: string): ReadonlyArray<Link> =>
  [...prose(text).matchAll(LINK)]
    .map(([, label = "", target = ""]) => ({ text: label, target }))
    .filter(({ target }) => !/^[a-z]+:|^#/.test(target))

const pathOf = (page: string, target: string): string =>
  join(root, dirname(page), target.replace(/#.*/, ""))

/** The links of a page that lead nowhere. */
const brokenLinks = (page: string, text: string): ReadonlyArray<string> =>
  linksOf(text)
    .map(({ target }) => target)
    .filter((target) => !existsSync(pathOf(page, target)))

/** A path in code may leave out the folders it begins with. Built files have a source. */
const isPath = (path: string): boolean => {
  const source = path.replace(/\/dist\/(?:bench\/)?/, "/").replace(/\.js$/, ".ts")
  return files.some((file) =>
    [path, source].some((each) => file === each || file.endsWith(`/${each}`))
  )
}

const brokenPaths = (text: string): ReadonlyArray<string> =>
  [...prose(text).matchAll(PATH_IN_CODE)]
    .map(([, path = ""]) => path)
    .filter((path) => !isPath(path))

/** The names in the texts of links to source files that are not in these files. */
const missingNames = (page: string, text: string): ReadonlyArray<string> =>
  linksOf(text)
    .filter(({ target }) => /\.(ts|mjs)$/.test(target))
    .flatMap(({ text: label, target }) => {
      const source = readFileSync(pathOf(page, target), "utf8")
      return [...label.matchAll(NAME_IN_CODE)]
        .map(([, name = ""]) => name)
        .filter((name) => !name.includes("/") && !name.includes("."))
        .filter((name) => !source.includes(name))
    })

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8")

  test("links only to what exists", () => expect(brokenLinks(page, text)).toEqual([]))

  test("names only files that exist", () => expect(brokenPaths(text)).toEqual([]))
})

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)

/** The scripts and benchmarks that a page names and that do not exist. */
const missingScripts = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/npm run (?:--silent )?([\w:]+)(?: -- ([a-z]\w*))?/g)]
    .filter(([, script = "", name]) => {
      const isBenchmark = name === undefined || files.includes(`test/bench/${name}.ts`)
      return scripts[script] === undefined || (script === "bench" && !isBenchmark)
    })
    .map(([command]) => command)

test("every script and benchmark that a page names exists", () => {
  expect(pages.flatMap((page) => missingScripts(readFileSync(join(root, page), "utf8")))).toEqual(
    []
  )
  expect(
    missingScripts("npm run gone, npm run bench -- gone, npm run bench -- sqlite")
  ).toHaveLength(2)
})

describe("ARCHITECTURE.md", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")

  test("links to files that have the names it gives", () =>
    expect(missingNames("ARCHITECTURE.md", text)).toEqual([]))

  test("names every folder of the packages it maps", () => {
    const folders = ["core", "storage-memory", "storage-sqlite", "http-adapter"].flatMap((name) =>
      readdirSync(join(root, "packages", name, "src"), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `packages/${name}/src/${entry.name}`)
    )
    const targets = new Set(linksOf(text).map(({ target }) => target))
    expect(folders.filter((folder) => !targets.has(folder))).toEqual([])
  })
})

describe("a page", () => {
  test("with a link to a file that is gone is found", () =>
    expect(brokenLinks("docs/a.md", "see [it](../gone.ts)")).toEqual(["../gone.ts"]))

  test("that names a file that is gone is found", () =>
    expect(brokenPaths("see `shop/pet/Gone.ts`, `pet/Pet.ts`")).toEqual(["shop/pet/Gone.ts"]))

  test("that names what a file does not have is found", () =>
    expect(missingNames("a.md", "[`gone` in it](packages/core/src/PetStore.ts)")).toEqual(["gone"]))
})

/** What a newcomer looks for, in their words, and where it is changed. */
const QUESTIONS = [
  ["an order takes stock", "packages/core/src/shop/order/OrderingPolicy.ts"],
  ["GET /store/inventory", "packages/core/src/shop/inventory/operations.ts"],
  ["a ban", "packages/core/src/access/limit/Ban.ts"],
  ["Retry-After", "packages/core/src/access/limit/Decision.ts"],
  ["Retry-After", "packages/http-adapter/src/exchange/refuse.ts"],
  ["group commit", "packages/storage-sqlite/src/write/Writer.ts"]
] as const

describe.each(QUESTIONS)("a search for %j", (words, file) => {
  test("finds a row of ARCHITECTURE.md that links to where it is changed", () => {
    const rows = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|") && line.includes(words))
    expect(rows.flatMap(linksOf).map(({ target }) => target)).toContain(file)
  })

  test("finds that file among the sources", () =>
    expect(readFileSync(join(root, file), "utf8")).toContain(words))
})

const decisions = files.filter((file) => /^docs\/decisions\/\d{4}-/.test(file))

describe("docs/decisions/README.md", () => {
  const page = "docs/decisions/README.md"
  const text = readFileSync(join(root, page), "utf8")
  const rows = text.split("\n").filter((line) => /^\| \d+ \|/.test(line))

  test("lists every decision once, by its title and in their order", () =>
    expect(rows.map((row) => linksOf(row)[0])).toEqual(
      decisions.toSorted().map((file) => ({
        text: /^# \d+\. (.*)$/m.exec(readFileSync(join(root, file), "utf8"))?.[1],
        target: relative("docs/decisions", file)
      }))
    ))

  test("says of each decision whether it is in force, and by which one it was changed", () => {
    const numbers = new Set(decisions.map((file) => Number(/(\d{4})-/.exec(file)?.[1])))
    const states = rows.map((row) => row.split("|").at(-2)?.trim() ?? "")
    const isState = (state: string) => {
      const [, number] = /^(?:in force|(?:amended|superseded) by (\d+))$/.exec(state) ?? []
      return state === "in force" || numbers.has(Number(number))
    }
    expect(states.filter((state) => !isState(state))).toEqual([])
  })
})
