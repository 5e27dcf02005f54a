/**
 * `npm run bench -- install [REF]`: `npm ci` in a fresh clone of a commit (HEAD) with an empty
 * cache of npm, on this Node and on those in PETSTORE_TEST_NODES. Prints the CPU seconds of all its
 * processes, the build of the packages included, and the megabytes on disk.
 */
import { execFileSync, spawnSync } from "node:child_process"
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"

const root = join(import.meta.dirname, "../../..")
const [ref = "HEAD"] = process.argv.slice(2)
const npm = process.env["npm_execpath"]
if (npm === undefined) throw new Error("run it with npm run bench -- install")

const others = process.env["PETSTORE_TEST_NODES"] ?? ""
const nodes = [process.execPath, ...others.split(delimiter).filter((node) => node !== "")]

/** The bytes that the files below a folder take on disk, links not followed. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesIn(path) : lstatSync(path).blocks * 512)
  }, 0)

/** All folders node_modules below a folder, outside of each other. */
const modulesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      name === "node_modules" ? [join(folder, name)] : modulesIn(join(folder, name))
    )

/** Minutes and seconds, as `times` of the shell prints them. */
const secondsOf = (text: string): number => {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(text) ?? []
  return Number(minutes) * 60 + Number(seconds)
}

/** Installs in a new clone. The environment is that of a shell in which `node` is this one. */
const install = (node: string) => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-install-"))
  const clone = join(folder, "clone")
  try {
    execFileSync("git", ["clone", "--quiet", "--no-checkout", root, clone])
    execFileSync("git", ["checkout", "--quiet", ref], { cwd: clone })
    const env = {
      ...Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/.test(name))
      ),
      PATH: [dirname(node), process.env["PATH"] ?? ""].join(delimiter),
      npm_config_cache: join(folder, "cache"),
      // Headers for a native build, where the runtime has brought them.
      ...(node === process.execPath ? {} : { npm_config_nodedir: dirname(dirname(node)) })
    }
    // The last line of `times` is of the children: user and system.
    const script = `"$0" "$1" ci >&2 && times`
    const ran = spawnSync("sh", ["-c", script, node, npm], { cwd: clone, env, encoding: "utf8" })
    if (ran.status !== 0) throw new Error(ran.stderr)
    const times = ran.stdout.trim().split("\n").at(-1)?.split(" ") ?? []
    const modules = modulesIn(clone)
    return {
      seconds: times.reduce((sum, text) => sum + secondsOf(text), 0),
      megabytes: modules.reduce((sum, each) => sum + bytesIn(each), 0) / 2 ** 20
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

console.log("npm ci in a fresh clone, with an empty cache\n")
console.log("| Node | CPU seconds | MB of node_modules |\n|---|---|---|")
for (const node of nodes) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim()
  const { seconds, megabytes } = install(node)
  console.log(`| ${version} | ${seconds.toFixed(1)} | ${megabytes.toFixed(0)} |`)
}
