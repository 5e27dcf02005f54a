// The last step of `npm run build`: puts what Node loads of @petstore/core into one file for each entry point and one for what they share, since
// its loader takes about half a millisecond for every module. Other runtimes and bundlers get the modules as they are, so that what a program does
// not use can be left out.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const core = join(import.meta.dirname, "../packages/core")
const { exports } = JSON.parse(readFileSync(join(core, "package.json"), "utf8"))

/** The name of each bundled file, by the module it begins with. */
const input = Object.fromEntries(
  Object.values(exports).map((entry) => [/([^/]+)\.js$/.exec(entry.node)[1], join(core, entry.default)])
)
const bundle = await rolldown({ input, external: /^effect\// })
await bundle.write({
  dir: join(core, "dist/node"),
  format: "es",
  entryFileNames: "[name].js",
  chunkFileNames: "shared.js",
  cleanDir: true
})
await bundle.close()
