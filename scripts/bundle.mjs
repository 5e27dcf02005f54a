// The last step of `npm run build`: puts what Node loads of @petstore/core into one file for each entry point and what they share, since
// its loader takes about half a millisecond for every module. Other runtimes and bundlers get the modules as they are, so that what a program does
// not use can be left out.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const core = join(import.meta.dirname, "../packages/core")
const { exports } = JSON.parse(readFileSync(join(core, "package.json"), "utf8"))

/** The module that each bundled file begins with, by the file's name. An entry that had none would load the same classes a second time. */
const input = {}
for (const [entry, { node, default: module }] of Object.entries(exports)) {
  const name = entry === "." ? "index" : entry.slice("./".length)
  if (node !== `./dist/node/${name}.js`)
    throw new Error(`${entry} of core needs "node": "./dist/node/${name}.js"`)
  input[name] = join(core, module)
}
const bundle = await rolldown({ input, external: /^effect\// })
await bundle.write({
  dir: join(core, "dist/node"),
  format: "es",
  entryFileNames: "[name].js",
  chunkFileNames: "shared-[name].js",
  cleanDir: true
})
await bundle.close()
