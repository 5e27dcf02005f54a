// `npm test -- runtimes`: the tests on other Nodes, and a smoke program on Bun, Deno and workerd.
// They are installed from npm packages into the cache (ciCache.mjs). One that can't be had is
// skipped, and its line says why.
//
// `node scripts/runtimes.mjs NAME…` prints the paths of these runtimes, separated by colons, such
// as of `node`, `bun` or `deno`.
import { readdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { inCache } from "./ciCache.mjs"
import { PROJECTS, skipped, spawned, vitest } from "./suites.mjs"

/** The name of Node's package for this machine. */
const nodePackage = () => {
  const { platform, arch } = process
  if (platform === "linux") return `node-linux-${arch}`
  return platform === "win32" ? `node-win-${arch}` : `node-bin-${platform}-${arch}`
}

const majorOf = (version) => Number(version.split(".")[0])

/** A runtime: what it is installed from, and which file of that it is. */
const node = (version) => ({
  kind: "node",
  major: majorOf(version),
  name: `node ${majorOf(version)}`,
  folder: `node-${version}`,
  from: `${nodePackage()}@${version}`,
  binary: /^node-[^/]+\/bin\/node(\.exe)?$/
})
const RUNTIMES = [
  node("22.23.3"),
  node("24.21.0"),
  node("26.10.0"),
  {
    kind: "bun",
    name: "bun",
    folder: "bun-1.4.5",
    from: "bun@1.4.5",
    binary: /^@oven\/bun-[^/]+\/bin\/bun(\.exe)?$/
  },
  {
    kind: "deno",
    name: "deno",
    folder: "deno-2.9.6",
    from: "deno@2.9.6",
    binary: /^@deno\/[^/]+\/deno(\.exe)?$/
  },
  {
    kind: "workerd",
    name: "workerd",
    folder: "workerd-1.20261117.1",
    from: "workerd@1.20261117.1",
    binary: /^@cloudflare\/workerd-[^/]+\/bin\/workerd(\.exe)?$/
  }
]

/** The node_modules with a package, which is installed where it is not. Rejects if it can't be. */
const installedOf = async (spec, folder = spec.replace("@", "-")) =>
  join(await inCache(folder, ["install", "--no-save", spec]), "node_modules")

/** The path of a runtime, which is installed where it is not. Rejects if it can't be. */
const binaryOf = async ({ folder, from, binary }) => {
  const modules = await installedOf(from, folder)
  const file = readdirSync(modules, { recursive: true, encoding: "utf8" }).find((each) =>
    binary.test(each.replaceAll("\\", "/"))
  )
  if (file === undefined) throw new Error(`${from} has no program for this machine`)
  return join(modules, file)
}

/** What runs on every Node: what depends on it most. `--all` runs all suites. */
const BY_BOTH_DRIVERS = [{ project: "conformance", files: [] }]
const ON_NODE = [
  { project: "unit", files: ["packages/storage-sqlite/", "packages/cli/"] },
  ...BY_BOTH_DRIVERS
]
const ALL_ON_NODE = PROJECTS.map((project) => ({ project, files: [] }))

/** Brings its native parts with it, and works from Node 22.16 on. */
const BETTER_SQLITE3 = "better-sqlite3@13.2.0"

/** How a program that checks claims is run: the smoke programs, and the commands in a row. */
const nodeProgram = (name) => (binary) => [binary, [`test/dist/runtimes/${name}.js`]]
const COMMANDS = nodeProgram("aborts")
const SMOKE = {
  node: nodeProgram("node"),
  bun: (binary) => [binary, ["run", "--no-install", "test/dist/runtimes/bun.js"]],
  deno: (binary) => [binary, ["run", "--no-lock", "--allow-all", "test/dist/runtimes/deno.js"]],
  workerd: (binary) => [process.execPath, ["test/dist/runtimes/workerd.js", binary]]
}

/** Counts the lines that the program prints: `ok CLAIM` or `not ok CLAIM`. */
const checked = async ([program, args]) => {
  const ended = await spawned(program, args)
  const lines = ended.output.split("\n")
  const passed = lines.filter((line) => line.startsWith("ok ")).length
  const ok = ended.ok && passed > 0
  const refuted = lines.filter((line) => line.startsWith("not ok ")).length
  return { ...ended, ok, passed, failed: Math.max(refuted, ok ? 0 : 1) }
}

/** The README's first commands in a fresh clone, where the runtime has SQLite. */
const strangerSuite = ({ kind, name, major }, binary) => {
  const suite = `${name} stranger`
  if (kind === "workerd" || major < 22) return []
  if (kind === "node" && process.env.npm_execpath === undefined)
    return [skipped(suite, "it needs npm: start it with npm test")]
  return [{ name: suite, run: () => checked([process.execPath, [STRANGER, kind, binary]]) }]
}
const STRANGER = "test/dist/runtimes/stranger.js"

const claimSuites = (runtime, binary) => {
  const { kind, name } = runtime
  const commands = { name: `${name} commands`, run: () => checked(COMMANDS(binary)) }
  return [
    { name: `${name} smoke`, run: () => checked(SMOKE[kind](binary)) },
    ...(kind === "node" ? [commands] : []),
    ...strangerSuite(runtime, binary)
  ]
}

/** Has tests find better-sqlite3, which is in the tree at most for the Node that is installed. */
const withBetterSqlite3 = async () => ({
  ...process.env,
  PETSTORE_BETTER_SQLITE3: join(await installedOf(BETTER_SQLITE3), "better-sqlite3/lib/index.js"),
  NODE_OPTIONS: `--import=${pathToFileURL("test/runtimes/withBetterSqlite3.mjs").href}`
})

/** The suites of vitest on a Node. Conformance runs by each driver at hand. */
async function* testSuites({ name, major }, binary, suites) {
  let both = process.env
  if (major >= 24) {
    try {
      both = await withBetterSqlite3()
    } catch (error) {
      yield skipped(`${name} better-sqlite3`, `it could not be installed: ${error.message}`)
    }
  }
  for (const { project, files } of suites) {
    const env = project === "conformance" ? both : process.env
    yield {
      name: `${name} ${project}`,
      run: () => vitest(["--project", project, ...files], { node: binary, env })
    }
  }
}

/** The Node that is installed: in place of another one of its major version. */
const INSTALLED = node(process.versions.node)
const OTHERS = RUNTIMES.filter(({ name }) => name !== INSTALLED.name)

/**
 * The suites of each runtime in turn. A runtime is installed when its turn comes. Of the Node that
 * is installed only what `npm test` does not run.
 */
export async function* runtimeSuites({ all }) {
  yield* claimSuites(INSTALLED, process.execPath)
  if (INSTALLED.major >= 24) yield* testSuites(INSTALLED, process.execPath, BY_BOTH_DRIVERS)
  for (const runtime of OTHERS) {
    const found = await binaryOf(runtime).catch((error) => error)
    if (found instanceof Error) {
      yield skipped(runtime.name, `it could not be installed: ${found.message}`)
      continue
    }
    if (runtime.kind === "node") yield* testSuites(runtime, found, all ? ALL_ON_NODE : ON_NODE)
    yield* claimSuites(runtime, found)
  }
}

if (process.argv[1] === import.meta.filename) {
  const asked = new Set(process.argv.slice(2))
  const found = []
  for (const runtime of OTHERS.filter(({ kind }) => asked.has(kind))) {
    try {
      found.push(await binaryOf(runtime))
    } catch (error) {
      console.error(`${runtime.name} could not be installed: ${error.message}`)
    }
  }
  console.log(found.join(delimiter))
}
