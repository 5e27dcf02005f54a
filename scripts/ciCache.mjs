// Where programs are kept that only some checks need: outside the tree, shared by all clones of a
// machine. `npm ci` installs none of them.
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const cacheFolder =
  process.env.PETSTORE_CI_CACHE ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "petstore-ci")

/**
 * Fills the folder `name` of the cache by running npm in it, unless it is there. `prepare` puts
 * into an empty folder what npm needs. Resolves to the folder; rejects with what npm said. Two
 * processes may do so at once: the folder gets its name when it is complete.
 */
export const inCache = async (name, npmArgs, prepare = () => {}) => {
  const folder = join(cacheFolder, name)
  if (existsSync(folder)) return folder
  mkdirSync(cacheFolder, { recursive: true })
  const draft = mkdtempSync(join(cacheFolder, `${name}.draft-`))
  try {
    prepare(draft)
    const npm = process.platform === "win32" ? "npm.cmd" : "npm"
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"]
    await promisify(execFile)(npm, [...npmArgs, ...quiet, "--prefix", draft], {
      cwd: draft,
      timeout: 300_000
    })
    if (!existsSync(folder)) renameSync(draft, folder)
    return folder
  } catch (error) {
    const code = /npm (?:error|ERR!) code (\S+)/.exec(error.stderr ?? "")?.[1]
    throw new Error(code === undefined ? error.message : `npm: ${code}`, { cause: error })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

const tools = join(import.meta.dirname, "../test/tools")
const toolFiles = readdirSync(tools).toSorted()
const toolsHash = toolFiles.reduce(
  (hash, file) => hash.update(readFileSync(join(tools, file))),
  createHash("sha256")
)
const toolsName = `tools-${toolsHash.digest("hex").slice(0, 12)}`

/** Where the tools of test/tools are, if they are installed. */
export const toolsFolder = join(cacheFolder, toolsName)

/** Whether they are installed. Tests that need one are skipped otherwise. */
export const hasTools = existsSync(toolsFolder)

/** Installs them where they are not. Rejects where they can't be installed. */
export const installTools = () =>
  inCache(toolsName, ["ci"], (folder) => {
    for (const file of toolFiles) copyFileSync(join(tools, file), join(folder, file))
    copyFileSync(join(tools, "../../.npmrc"), join(folder, ".npmrc"))
  })
