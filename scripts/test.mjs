// `npm test`: every suite in turn. Ends non-zero on any failure. `npm test -- NAME…` runs some of
// them, `npm test -- runtimes` those of other runtimes (runtimes.mjs).
import { hasTools } from "./ciCache.mjs"
import { runtimeSuites } from "./runtimes.mjs"
import { command, PROJECTS, runSuites, skipped, vitest } from "./suites.mjs"

const node = process.execPath
const tsc = "node_modules/@typescript/native/bin/tsc"

const suites = [
  command("types", node, tsc, "-b"),
  command("bundle", node, "scripts/bundle.mjs"),
  command("types of tests", node, tsc, "-p", "tsconfig.test.json"),
  command("lint", "npx", "--no-install", "oxlint", "--type-aware", "--deny-warnings"),
  command("format", "npx", "--no-install", "oxfmt", "--check"),
  hasTools
    ? command("packages", node, "scripts/checkPackages.mjs")
    : skipped("packages", "npm run tools installs what it needs"),
  ...PROJECTS.map((name) => ({ name, run: () => vitest(["--project", name]) }))
]

/** What the suites of other runtimes need to be built. */
const BUILD = new Set(["types", "bundle"])

const args = process.argv.slice(2)
const names = args.filter((name) => name !== "--all")
const isRuntimes = names.includes("runtimes")
const isChosen = ({ name }) =>
  names.length === 0 || names.includes(name) || (isRuntimes && BUILD.has(name))

const known = [...suites.map(({ name }) => name), "runtimes"]
const unknown = names.find((name) => !known.includes(name))
if (unknown !== undefined) {
  console.error(`no suite "${unknown}"; there are: ${known.join(", ")}`)
  process.exit(2)
}

async function* chosen() {
  yield* suites.filter(isChosen)
  if (isRuntimes) yield* runtimeSuites({ all: args.includes("--all") })
}

process.exit(await runSuites(chosen()))
