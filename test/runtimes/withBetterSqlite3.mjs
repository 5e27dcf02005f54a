// Loaded before a test with `--import`: has better-sqlite3 found where PETSTORE_BETTER_SQLITE3
// says, on a Node that the one in the tree is not built for. `require.resolve` asks these hooks
// from Node 24 on.
import { registerHooks } from "node:module"
import { pathToFileURL } from "node:url"

const url = pathToFileURL(process.env.PETSTORE_BETTER_SQLITE3).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "better-sqlite3"
      ? { url, format: "commonjs", shortCircuit: true }
      : next(specifier, context)
})
