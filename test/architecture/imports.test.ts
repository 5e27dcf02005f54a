import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { importsOf } from "./importsOf.js"
import { circleIn, modulesOf } from "./layering.js"

const root = join(import.meta.dirname, "../..")

/**
 * DESIGN: arrows go one way only. What each folder may import; a name with a slash at its end
 * allows all below it.
 */
const MAY_IMPORT: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/core": ["effect"],
  "packages/storage-memory": ["@petstore/core", "effect"],
  "packages/storage-sqlite": [
    "@petstore/core",
    "effect",
    "@effect/experimental",
    "@effect/sql",
    "node:"
  ],
  "packages/storage-conformance": ["@petstore/core", "effect"],
  "packages/http-adapter": ["@petstore/core", "effect", "@effect/platform", "node:"],
  "packages/cli": [
    "@petstore/core",
    "@petstore/storage-memory",
    "@petstore/storage-sqlite",
    "@petstore/http-adapter",
    "effect",
    "@effect/platform",
    "@effect/platform-node",
    "@effect/cli",
    "@effect/printer",
    "@effect/printer-ansi",
    "cli-table3",
    "node:"
  ]
}

const packageOf = (specifier: string): string =>
  specifier.startsWith("node:")
    ? "node:"
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/")

/**
 * The imports of a folder that its list does not allow, its package.json does not declare, or that
 * leave the folder.
 */
export const wrongImports = (
  allowed: ReadonlyArray<string>,
  declared: ReadonlyArray<string>,
  file: string,
  source: string
): ReadonlyArray<string> =>
  importsOf(source)
    .filter((specifier) => !specifier.startsWith("./") && !specifier.startsWith("../"))
    .filter((specifier) => {
      const name = packageOf(specifier)
      return !allowed.includes(name) || (name !== "node:" && !declared.includes(name))
    })
    .map((specifier) => `${file} imports ${specifier}`)

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, "src", file))

const declaredBy = (folder: string): ReadonlyArray<string> => {
  const manifest: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> =
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
  // The command is bundled with what it needs only to be built.
  const bundled = folder === "packages/cli" ? manifest["devDependencies"] : {}
  return [
    ...Object.keys(manifest["dependencies"] ?? {}),
    ...Object.keys(manifest["peerDependencies"] ?? {}),
    ...Object.keys(bundled ?? {})
  ]
}

describe("imports", () => {
  it("are allowed for every package there is", () =>
    expect(
      readdirSync(join(root, "packages"))
        .map((name) => `packages/${name}`)
        .sort()
    ).toEqual(Object.keys(MAY_IMPORT).sort()))

  it.each(Object.entries(MAY_IMPORT))("of %s are allowed and declared", (folder, allowed) => {
    const declared = declaredBy(folder)
    const wrong = filesOf(folder).flatMap((file) =>
      wrongImports(allowed, declared, file, readFileSync(join(root, file), "utf8"))
    )
    expect(wrong).toEqual([])
  })

  it.each(Object.keys(MAY_IMPORT))("of %s go in no circle", (folder) =>
    expect(circleIn(modulesOf(basename(folder)).arrows)).toEqual([])
  )

  it("that are wrong are found", () => {
    const planted =
      'import { x } from "node:fs"\nimport type { Y } from "@petstore/http-adapter"\nconst z = await import("pino")\nimport "./fine.js"'
    expect(wrongImports(["effect"], ["effect"], "planted.ts", planted)).toHaveLength(3)
    expect(
      wrongImports(["effect"], [], "planted.ts", 'import { Effect } from "effect"')
    ).toHaveLength(1)
  })

  it("are all that ties a module to its place, so that it can be put into one file with others", () => {
    const tied = Object.keys(MAY_IMPORT)
      .flatMap(filesOf)
      .filter((file) => /\bimport\.meta\b/.test(readFileSync(join(root, file), "utf8")))
    // It looks for an installed package from wherever it is, and works in a bundle
    // (test/e2e/bundles.test.ts).
    expect(tied).toEqual(["packages/storage-sqlite/src/driver/loadBetterSqlite3.ts"])
  })

  it("of the barrels of effect and @effect/platform, which cost half a second at start-up, are nowhere", () => {
    const barrels = Object.keys(MAY_IMPORT)
      .flatMap(filesOf)
      .filter((file) =>
        importsOf(readFileSync(join(root, file), "utf8")).some((each) =>
          /^(effect|@effect\/(platform|platform-node|cli))$/.test(each)
        )
      )
    expect(barrels).toEqual([])
  })
})
