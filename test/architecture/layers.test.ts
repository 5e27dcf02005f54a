/**
 * The layers of core: a folder imports from its own layer or from lower ones, also for types alone.
 * Modules of one layer do not import each other in a circle.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { describe, expect, test } from "vitest"
import { importsOf } from "./importsOf.js"

const source = join(import.meta.dirname, "../../packages/core/src")

/** From the lowest to the highest. Those that stand together know nothing of each other. */
const LAYERS: ReadonlyArray<ReadonlyArray<string>> = [
  ["value"],
  ["engine/program"],
  ["engine/port", "engine/list", "engine/operation"],
  ["engine/idempotency"],
  ["access/account", "shop"],
  ["access/key", "access/limit"],
  ["access/admission", "access/deprecation"],
  ["feed"],
  ["webhook"],
  ["registry", "schema"],
  ["PolicyOptions.ts"],
  ["Engine.ts"],
  ["api"],
  ["PetStore.ts", "changes.ts"],
  ["index.ts"]
]

/** What belongs to the shop. The engine is made for any collections. */
const OF_THE_SHOP = ["shop", "access", "feed", "webhook"]

type Arrow = { readonly from: string; readonly to: string }

/** The imports between modules of core that a source has, also for types alone. */
const arrowsOf = (from: string, text: string): ReadonlyArray<Arrow> =>
  importsOf(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({
      from,
      to: posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts")
    }))

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"))

const arrows = files.flatMap((file) => arrowsOf(file, readFileSync(join(source, file), "utf8")))

const isIn = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`)

/** The folder of the list that the file is in, and how high it stands. */
const placeOf = (file: string): { readonly folder: string; readonly height: number } | undefined => {
  for (const [height, folders] of LAYERS.entries()) {
    const folder = folders.find((each) => isIn(file, each))
    if (folder !== undefined) return { folder, height }
  }
  return undefined
}

/** The arrows from one folder to another that is not lower. */
const wrongArrows = (all: ReadonlyArray<Arrow>): ReadonlyArray<string> =>
  all
    .filter(({ from, to }) => {
      const [own, other] = [placeOf(from), placeOf(to)]
      if (own === undefined || other === undefined) return true
      return own.folder !== other.folder && own.height <= other.height
    })
    .map(({ from, to }) => `${from} imports ${to}`)

/** The first circle that following the arrows leads into. */
const circleIn = (all: ReadonlyArray<Arrow>): ReadonlyArray<string> => {
  const targets = new Map<string, Array<string>>()
  for (const { from, to } of all) targets.set(from, [...(targets.get(from) ?? []), to])
  const done = new Set<string>()
  const visit = (file: string, path: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const to of targets.get(file) ?? []) {
      const circle = visit(to, [...path, file])
      if (circle.length > 0) return circle
    }
    done.add(file)
    return []
  }
  for (const file of targets.keys()) {
    const circle = visit(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

describe("core", () => {
  test("has a layer for every file", () =>
    expect(files.filter((file) => placeOf(file) === undefined)).toEqual([]))

  test("has files in every folder of the list", () =>
    expect(LAYERS.flat().filter((folder) => !files.some((file) => isIn(file, folder)))).toEqual([]))

  test("has no import from a lower folder to a higher one, also for types alone", () =>
    expect(wrongArrows(arrows)).toEqual([]))

  test("has no files that import each other in a circle, also for types alone", () =>
    expect(circleIn(arrows)).toEqual([]))

  test("has an engine that imports nothing of the shop", () =>
    expect(
      arrows.filter(({ from, to }) => isIn(from, "engine") && OF_THE_SHOP.some((folder) => isIn(to, folder)))
    ).toEqual([]))

  test("has a shop and an access that import nothing of each other", () =>
    expect(
      arrows.filter(
        ({ from, to }) =>
          (isIn(from, "shop") && isIn(to, "access")) || (isIn(from, "access") && isIn(to, "shop"))
      )
    ).toEqual([]))
})

describe("an import", () => {
  test("of a type from a higher folder is found", () =>
    expect(
      wrongArrows(arrowsOf("engine/list/Cursor.ts", 'import type { Pet } from "../../shop/pet/Pet.js"'))
    ).toEqual(["engine/list/Cursor.ts imports shop/pet/Pet.ts"]))

  test("from a neighbour in the same layer is found", () =>
    expect(
      wrongArrows(arrowsOf("access/key/rows.ts", 'import { DAYS } from "../limit/Window.js"'))
    ).toHaveLength(1))

  test("of what no layer has is found", () =>
    expect(wrongArrows(arrowsOf("value/Text.ts", 'import { x } from "../other/x.js"'))).toHaveLength(1))

  test("from a lower folder is fine", () =>
    expect(wrongArrows(arrowsOf("feed/Feed.ts", 'export { changes } from "../shop/change/rows.js"'))).toEqual(
      []
    ))

  test("of a type that closes a circle is found", () =>
    expect(
      circleIn([
        ...arrowsOf("shop/pet/Pet.ts", 'import { status } from "./PetStatus.js"'),
        ...arrowsOf("shop/pet/PetStatus.ts", 'import type { Pet } from "./Pet.js"')
      ])
    ).toEqual(["shop/pet/Pet.ts", "shop/pet/PetStatus.ts", "shop/pet/Pet.ts"]))
})
