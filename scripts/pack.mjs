// `npm run pack -- [FOLDER]`: packs all packages as they are published, into `packed` or another
// folder. Our packages name each other by their versions there, not by their places in the tree,
// and what only the tree needs is left out of their manifests.
import { execFile } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { promisify } from "node:util"

const root = join(import.meta.dirname, "..")

/** The folders of what is published: the packages, and the drivers outside of the workspaces. */
const published = ["drivers", "packages"].flatMap((parent) =>
  readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, parent, name))
)

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const versions = new Map(published.map(manifestOf).map(({ name, version }) => [name, version]))

const publishedManifest = (folder) => {
  const { devDependencies: _, ...manifest } = manifestOf(folder)
  const { optionalDependencies } = manifest
  if (optionalDependencies === undefined) return manifest
  const ranges = Object.entries(optionalDependencies).map(([name, range]) => [
    name,
    range.startsWith("file:") ? versions.get(name) : range
  ])
  return { ...manifest, optionalDependencies: Object.fromEntries(ranges) }
}

/** Packs one package into a folder. Resolves to the path of the tarball. */
const pack = async (folder, target) => {
  const draft = mkdtempSync(join(tmpdir(), "petstore-pack-"))
  try {
    const isPublished = (path) => basename(path) !== "node_modules"
    cpSync(folder, draft, { recursive: true, filter: isPublished })
    const manifest = publishedManifest(folder)
    writeFileSync(join(draft, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
    const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", target]
    const { stdout } = await promisify(execFile)("npm", args, { cwd: draft })
    return join(target, stdout.trim())
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Packs all packages into a folder. Resolves to the name and the tarball of each. */
export const packAll = async (target) => {
  mkdirSync(target, { recursive: true })
  const packed = []
  for (const folder of published) {
    packed.push({ name: manifestOf(folder).name, tarball: await pack(folder, target) })
  }
  return packed
}

if (process.argv[1] === import.meta.filename) {
  const target = resolve(process.argv[2] ?? join(root, "packed"))
  for (const { name, tarball } of await packAll(target)) console.log(`${name} ${tarball}`)
}
