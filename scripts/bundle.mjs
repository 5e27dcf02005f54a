// The last step of `npm run build`: puts what Node loads of @petstore/core, and what it loads for
// the petstore command, into few files, since its loader takes about half a millisecond for every
// module. Other runtimes and bundlers get the modules of core as they are, so that what a program
// does not use can be left out.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const packages = join(import.meta.dirname, "../packages")
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/**
 * Writes one file for each entry and what they share into dist/node of a package. Answers with the
 * modules that went into them.
 */
const bundle = async (folder, options) => {
  const made = await rolldown({ platform: "node", ...options })
  const { output } = await made.write({
    dir: join(folder, "dist/node"),
    format: "es",
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[name].js",
    comments: { legal: true, annotation: false, jsdoc: false },
    cleanDir: true
  })
  await made.close()
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

const bundleCore = async () => {
  const core = join(packages, "core")
  /**
   * The module that each bundled file begins with, by the file's name. An entry that had none would
   * load the same classes a second time.
   */
  const input = {}
  for (const [entry, { node, default: module }] of Object.entries(manifestOf(core).exports)) {
    const name = entry === "." ? "index" : entry.slice("./".length)
    if (node !== `./dist/node/${name}.js`)
      throw new Error(`${entry} of core needs "node": "./dist/node/${name}.js"`)
    input[name] = join(core, module)
  }
  await bundle(core, { input, external: /^effect\// })
}

/**
 * The licences of the libraries that these modules are of: whoever hands on a copy hands them on
 * too.
 */
const licencesOf = (modules) => {
  const libraries = modules.flatMap(
    (module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll("\\", "/"))?.[0] ?? []
  )
  return [...new Set(libraries)].map((folder) => {
    const { name, version, license } = manifestOf(folder)
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    const text = file === undefined ? license : readFileSync(join(folder, file), "utf8").trim()
    return `${name} ${version}\n\n${text}\n`
  })
}

/**
 * The command with all that it needs of effect and of our packages: a process that nobody else's
 * code runs in needs no copy of effect that it shares. What is installed as a dependency of the
 * command is loaded from there.
 */
const bundleCli = async () => {
  const cli = join(packages, "cli")
  const installed = Object.keys(manifestOf(cli).dependencies).filter(
    (name) => !name.startsWith("@petstore/")
  )
  const input = { main: join(cli, "dist/main.js") }
  const modules = await bundle(cli, { input, external: installed })
  writeFileSync(
    join(cli, "dist/node/LICENCES.txt"),
    licencesOf(modules).join(`\n${"-".repeat(80)}\n\n`)
  )
}

await bundleCore()
await bundleCli()
