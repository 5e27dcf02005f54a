// `npm run check:packages`: looks at each package as it would be published, with publint and
// are-the-types-wrong. The packages are ES modules only: what CommonJS and resolution from before
// `exports` would need is left out on purpose. `require` of an ES module works in every Node that
// the packages support.
import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { installTools } from "./ciCache.mjs"

const { checkPackage, createPackageFromTarballData, formatMessage, publint } = await import(
  pathToFileURL(join(await installTools(), "packageChecks.mjs")).href
)

/** The profile "esm-only" of are-the-types-wrong. */
const NOT_MEANT = new Set(["node10", "node16-cjs"])

const root = join(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "petstore-packages-"))

const pack = async (name) => {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]
  const { stdout } = await promisify(execFile)("npm", args, { cwd: join(root, "packages", name) })
  return Uint8Array.from(readFileSync(join(folder, stdout.trim())))
}

const findingsOf = async (tarball) => {
  const linted = await publint({
    pack: { tarball: tarball.buffer },
    strict: true,
    level: "suggestion"
  })
  const typed = await checkPackage(createPackageFromTarballData(tarball))
  const wrong = typed.types === false ? [{ kind: "NoTypes" }] : typed.problems
  return [
    ...linted.messages.map((message) => formatMessage(message, linted.pkg, { color: false })),
    ...wrong
      .filter(({ resolutionKind }) => !NOT_MEANT.has(resolutionKind))
      .map(
        ({ kind, entrypoint = "", resolutionKind = "" }) =>
          `${kind} ${entrypoint} ${resolutionKind}`
      )
  ]
}

try {
  for (const name of readdirSync(join(root, "packages"))) {
    const tarball = await pack(name)
    const findings = await findingsOf(tarball)
    if (findings.length > 0) process.exitCode = 1
    console.log(
      `@petstore/${name}: ${findings.length === 0 ? "nothing found" : findings.join("; ")}`
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
