/**
 * What a page or a worker loads that uses the store: @petstore/core alone, with storage in memory,
 * and with the web handler, bundled, minified and gzipped, effect included; and the modules that
 * weigh most.
 */
import { bundle } from "../size/bundle.js"
import { PROGRAMS } from "../size/programs.js"

const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`

for (const [name, { source, limitBytes }] of Object.entries(PROGRAMS)) {
  const { minifiedBytes, gzippedBytes, modules } = await bundle(source)
  console.log(
    `${name.padEnd(28)} ${kb(minifiedBytes)} minified, ${kb(gzippedBytes)} gzipped (at most ` +
      `${kb(limitBytes)})`
  )
  const heaviest = [...modules]
    .map(([id, bytes]) => ({ id: id.replace(/^.*node_modules\//, ""), bytes }))
    .toSorted((left, right) => right.bytes - left.bytes)
  for (const { id, bytes } of heaviest.slice(0, 12)) {
    console.log(
      `  ${kb(bytes).padStart(9)} before minifying  ${id.replace(/^.*packages\//, "packages/")}`
    )
  }
}
