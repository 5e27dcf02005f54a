/**
 * Which file a function was written in, where it has been bundled with others: bundles say above
 * each part where it is from.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

type Part = { readonly fromLine: number; readonly path: string }

const PART = /^\/\/ ((?:packages|node_modules)\/.*)$/

const bundles = new Map<string, ReadonlyArray<Part>>()

const partsOf = (url: string): ReadonlyArray<Part> => {
  const known = bundles.get(url)
  if (known !== undefined) return known
  const parts = readFileSync(fileURLToPath(url), "utf8")
    .split("\n")
    .flatMap((line, at) => {
      const path = PART.exec(line)?.[1]
      return path === undefined ? [] : [{ fromLine: at, path: `/${path}` }]
    })
  bundles.set(url, parts)
  return parts
}

/** `line` counts from 0, as profiles do. */
export const sourceOf = (url: string, line: number): string =>
  url.startsWith("file:")
    ? (partsOf(url).findLast(({ fromLine }) => fromLine <= line)?.path ?? url)
    : url
