// `npm run bench -- [NAME] [options]`: builds what a benchmark needs, and runs it. Without a name
// it is the benchmark over HTTP.
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** Each file of test/bench is a benchmark. */
const names = readdirSync(join(root, "test/bench"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))

/** Those that collect garbage before they measure memory. */
const COLLECTING = new Set(["embedding", "memory"])

const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
}

const [first, ...rest] = process.argv.slice(2)
const isNamed = first !== undefined && !first.startsWith("-")
const name = isNamed ? first : "http"
const options = isNamed ? rest : process.argv.slice(2)

if (!names.includes(name)) {
  console.error(`no such benchmark; there are: ${names.join(", ")}`)
  process.exit(2)
}

const tsc = "node_modules/@typescript/native/bin/tsc"
run(tsc, "-b", "tsconfig.build.json")
run("scripts/bundle.mjs")
run(tsc, "-b", "test")
run(...(COLLECTING.has(name) ? ["--expose-gc"] : []), `test/dist/bench/${name}.js`, ...options)
