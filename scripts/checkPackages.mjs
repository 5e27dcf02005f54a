// `npm run check:packages`: looks at each package as it would be published, with publint and
// are-the-types-wrong. The packages are ES modules only: what CommonJS and resolution from before
// `exports` would need is left out on purpose. `require` of an ES module works in every Node that
// the packages support.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { installTools } from "./ciCache.mjs"
import { packAll } from "./pack.mjs"

const { checkPackage, createPackageFromTarballData, formatMessage, publint } = await import(
  pathToFileURL(join(await installTools(), "packageChecks.mjs")).href
)

/** The profile "esm-only" of are-the-types-wrong. */
const NOT_MEANT = new Set(["node10", "node16-cjs"])

const folder = mkdtempSync(join(tmpdir(), "petstore-packages-"))

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
  for (const { name, tarball } of await packAll(folder)) {
    const findings = await findingsOf(Uint8Array.from(readFileSync(tarball)))
    if (findings.length > 0) process.exitCode = 1
    console.log(`${name}: ${findings.length === 0 ? "nothing found" : findings.join("; ")}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
