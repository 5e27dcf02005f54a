/** Two versions of this repository, built: the one that is here, and one that git has. */
import { execFileSync, type StdioOptions } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export type Version = {
  readonly name: string
  /** The folder of its package.json, without symbolic links. */
  readonly root: string
}

const here = realpathSync(fileURLToPath(new URL("../../../../", import.meta.url)))

/** What is built here, changes that are not committed included. */
export const thisVersion: Version = { name: "this version", root: here }

/** Answers what the command prints; its errors go to standard error. */
const run = (command: string, ...args: ReadonlyArray<string>): string => {
  const stdio: StdioOptions = ["ignore", "pipe", "inherit"]
  return execFileSync(command, args, { cwd: here, encoding: "utf8", stdio }).trim()
}

/** The commit that a git ref means, abbreviated; undefined where it means none. */
export const commitOf = (ref: string): string | undefined => {
  try {
    const options = ["--verify", "--quiet", "--short", "--end-of-options"]
    return run("git", "rev-parse", ...options, `${ref}^{commit}`)
  } catch {
    return undefined
  }
}

/** Whether a commit was locked to other dependencies than those that are installed here. */
export const hasOtherDependencies = (commit: string): boolean =>
  run("git", "diff", "--name-only", commit, "--", "package-lock.json") !== ""

/** Puts the files of a commit into a folder, builds them there, and adds the server program. */
export const checkOut = (commit: string, folder: string): Version => {
  mkdirSync(folder, { recursive: true })
  const archive = `${folder}.tar`
  run("git", "archive", "--output", archive, commit)
  run("tar", "-xf", archive, "-C", folder)
  rmSync(archive)
  const root = realpathSync(folder)
  const npm = (...args: ReadonlyArray<string>): void => {
    // Compilers print what they find on standard output.
    execFileSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2] })
  }
  // Installing builds as well.
  if (hasOtherDependencies(commit)) npm("ci", "--silent", "--prefer-offline")
  else {
    linkDependencies(root)
    npm("run", "--silent", "build")
  }
  cpSync(join(here, "test/dist/bench"), join(root, "test/dist/bench"), { recursive: true })
  return { name: commit, root }
}

/** The folders of a version that have a package.json of their own, the root first. */
const packagesOf = (root: string): ReadonlyArray<string> => {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}`)
  const folders = [".", "test", "examples", ...packages]
  return folders.filter((folder) => existsSync(join(root, folder, "package.json")))
}

/**
 * Gives a version the dependencies that are installed here, link by link, so that `@petstore/*` can
 * lead to its own packages. Hidden entries are state: of builds, caches.
 */
const linkDependencies = (root: string): void => {
  for (const folder of packagesOf(root)) {
    const installed = join(here, folder, "node_modules")
    const modules = join(root, folder, "node_modules")
    mkdirSync(modules, { recursive: true })
    for (const name of existsSync(installed) ? readdirSync(installed) : []) {
      const isState = name.startsWith(".") && name !== ".bin"
      if (name !== "@petstore" && !isState) symlinkSync(join(installed, name), join(modules, name))
    }
  }
  for (const folder of packagesOf(root).slice(1)) {
    const { name } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const link = join(root, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, folder), link)
  }
}
