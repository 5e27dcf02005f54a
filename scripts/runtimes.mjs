// `npm test -- runtimes`: the tests on other Nodes, and a smoke program on Bun, Deno and workerd.
// They are installed from npm packages into the cache (ciCache.mjs). One that can't be had is
// skipped, and its line says why.
//
// `node scripts/runtimes.mjs NAME…` prints the paths of these runtimes, separated by colons, such
// as of `node`, `bun` or `deno`.
import { readdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { inCache } from "./ciCache.mjs"
import { PROJECTS, skipped, spawned, vitest } from "./suites.mjs"

/** The name of Node's package for this machine. */
const nodePackage = () => {
  const { platform, arch } = process
  if (platform === "linux") return `node-linux-${arch}`
  return platform === "win32" ? `node-win-${arch}` : `node-bin-${platform}-${arch}`
}

/** A runtime: what it is installed from, and which file of that it is. */
const node = (version) => ({
  kind: "node",
  name: `node ${version.split(".")[0]}`,
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

/** The path of a runtime, which is installed where it is not. Rejects where it can't be. */
const binaryOf = async ({ folder, from, binary }) => {
  const modules = join(await inCache(folder, ["install", "--no-save", from]), "node_modules")
  const file = readdirSync(modules, { recursive: true, encoding: "utf8" }).find((each) =>
    binary.test(each.replaceAll("\\", "/"))
  )
  if (file === undefined) throw new Error(`${from} has no program for this machine`)
  return join(modules, file)
}

/** What runs on every Node: what depends on it most. `--all` runs all suites. */
const ON_NODE = [
  { project: "unit", files: ["packages/storage-sqlite/", "packages/cli/"] },
  { project: "conformance", files: [] }
]
const ALL_ON_NODE = PROJECTS.map((project) => ({ project, files: [] }))

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

const claimSuites = ({ kind, name }, binary) => [
  { name: `${name} smoke`, run: () => checked(SMOKE[kind](binary)) },
  ...(kind === "node" ? [{ name: `${name} commands`, run: () => checked(COMMANDS(binary)) }] : [])
]

const testSuites = ({ kind, name }, binary, all) =>
  (kind !== "node" ? [] : all ? ALL_ON_NODE : ON_NODE).map(({ project, files }) => ({
    name: `${name} ${project}`,
    run: () => vitest(["--project", project, ...files], { node: binary })
  }))

/** The Node that is installed: in place of another one of its major version. */
const INSTALLED = { kind: "node", name: `node ${process.versions.node.split(".")[0]}` }
const OTHERS = RUNTIMES.filter(({ name }) => name !== INSTALLED.name)

/**
 * The suites of each runtime in turn. A runtime is installed when its turn comes. The suites of
 * vitest are run on the Node that is installed by `npm test`.
 */
export async function* runtimeSuites({ all }) {
  yield* claimSuites(INSTALLED, process.execPath)
  for (const runtime of OTHERS) {
    const found = await binaryOf(runtime).catch((error) => error)
    if (found instanceof Error) {
      yield skipped(runtime.name, `it could not be installed: ${found.message}`)
      continue
    }
    yield* testSuites(runtime, found, all)
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
