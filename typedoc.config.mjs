// The API reference, made from the doc comments of what the packages export: `npm run docs` writes
// it to docs/api.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const packages = join(import.meta.dirname, "packages")

const entriesOf = (name) => {
  const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"))
  return Object.values(exports).map((entry) => join(packages, name, entry["@petstore/source"]))
}

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "Pet store",
  entryPoints: readdirSync(packages).flatMap(entriesOf),
  tsconfig: "tsconfig.docs.json",
  out: "docs/api",
  readme: "none",
  excludeExternals: true,
  disableSources: true,
  hideGenerator: true,
  treatWarningsAsErrors: true,
  // Whether each name has a text of its own is for a test to say, which looks at what an editor
  // shows.
  validation: { notExported: false, invalidLink: true, notDocumented: false }
}
