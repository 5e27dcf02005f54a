/**
 * What a page or a worker loads that uses the store: @petstore/core alone, and with storage in memory, bundled, minified and
 * gzipped, effect included; and the modules that weigh most.
 */
import { gzipSync } from "node:zlib"
import { build, type Rolldown } from "vite"

const LIMIT_KB = 120

const ENTRIES = {
  "@petstore/core": 'export { PetStore } from "@petstore/core"',
  "… and storage in memory":
    'export { PetStore } from "@petstore/core"\nexport { MemoryStorage } from "@petstore/storage-memory"'
}

/** A file that there isn't: its source is given. */
const ENTRY = `${import.meta.dirname}/entry.js`

const bundle = async (source: string): Promise<Rolldown.OutputChunk> => {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "error",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? ENTRY : undefined),
        load: (id) => (id === ENTRY ? source : undefined)
      }
    ],
    build: {
      write: false,
      minify: true,
      target: "es2023",
      lib: { entry: ENTRY, formats: ["es"], fileName: "entry" }
    }
  })
  const [output] = Array.isArray(built) ? built : [built]
  if (output === undefined || !("output" in output)) throw new Error("nothing was built")
  return output.output[0]
}

const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`

for (const [name, source] of Object.entries(ENTRIES)) {
  const { code, modules } = await bundle(source)
  const gzipped = gzipSync(code, { level: 9 }).length
  console.log(
    `${name.padEnd(28)} ${kb(code.length)} minified, ${kb(gzipped)} gzipped (at most ${LIMIT_KB} kB)`
  )
  const heaviest = Object.entries(modules)
    .map(([id, { renderedLength }]) => ({ id: id.replace(/^.*node_modules\//, ""), renderedLength }))
    .toSorted((left, right) => right.renderedLength - left.renderedLength)
  for (const { id, renderedLength } of heaviest.slice(0, 12)) {
    console.log(
      `  ${kb(renderedLength).padStart(9)} before minifying  ${id.replace(/^.*packages\//, "packages/")}`
    )
  }
}
