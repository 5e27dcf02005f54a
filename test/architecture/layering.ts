/**
 * The imports between the modules of a package, for tests of their layers. Type imports count too.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { importsOf } from "./importsOf.js"

/** From the lowest to the highest; each has folders or files that do not import each other. */
export type Layers = ReadonlyArray<ReadonlyArray<string>>

export type Arrow = { readonly from: string; readonly to: string }

/** The imports of a module's source that lead to other modules of its package. */
export const arrowsOf = (from: string, text: string): ReadonlyArray<Arrow> =>
  importsOf(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({
      from,
      to: posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts")
    }))

/**
 * The imports between folders, and files beside them: each is one between two entries of the
 * innermost folder that has both modules.
 */
export const entryArrows = (arrows: ReadonlyArray<Arrow>): ReadonlyArray<Arrow> =>
  arrows.map(({ from, to }) => {
    const [left, right] = [from.split("/"), to.split("/")]
    const depth = left.findIndex((name, at) => name !== right[at]) + 1
    return { from: left.slice(0, depth).join("/"), to: right.slice(0, depth).join("/") }
  })

export type Modules = {
  readonly files: ReadonlyArray<string>
  readonly arrows: ReadonlyArray<Arrow>
}

/** The modules in a package's `src`. Paths are relative to it, with slashes. */
export const modulesOf = (packageName: string): Modules => {
  const source = join(import.meta.dirname, "../../packages", packageName, "src")
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"))
  const arrows = files.flatMap((file) => arrowsOf(file, readFileSync(join(source, file), "utf8")))
  return { files, arrows }
}

export const isIn = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(`${folder}/`)

/** The files that are in no layer. */
export const withoutLayer = (layers: Layers, files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files.filter((file) => layerOf(layers, file) === undefined)

/** The folders of the layers that have no file. */
export const withoutFile = (layers: Layers, files: ReadonlyArray<string>): ReadonlyArray<string> =>
  layers.flat().filter((folder) => !files.some((file) => isIn(file, folder)))

/** The imports from one folder to another that is not lower. */
export const wrongArrows = (layers: Layers, arrows: ReadonlyArray<Arrow>): ReadonlyArray<string> =>
  arrows
    .filter(({ from, to }) => {
      const [own, other] = [layerOf(layers, from), layerOf(layers, to)]
      if (own === undefined || other === undefined) return true
      return own.folder !== other.folder && own.height <= other.height
    })
    .map(({ from, to }) => `${from} imports ${to}`)

/** The folder of the layers that the file is in, and the height of its layer. */
const layerOf = (
  layers: Layers,
  file: string
): { readonly folder: string; readonly height: number } | undefined => {
  for (const [height, folders] of layers.entries()) {
    const folder = folders.find((each) => isIn(file, each))
    if (folder !== undefined) return { folder, height }
  }
  return undefined
}

/** The first circle of files that import each other; empty if there is none. */
export const circleIn = (all: ReadonlyArray<Arrow>): ReadonlyArray<string> => {
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
