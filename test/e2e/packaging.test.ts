/** The packages as they are published: packed, and put into a project elsewhere that knows nothing of this repository. */
import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"

const root = join(import.meta.dirname, "../..")
const run = promisify(execFile)
const names = readdirSync(join(root, "packages"))

/** What a host would write, with every entry point in it. */
const PROGRAM = `
import { PetStore, NotFound, type Pet } from "@petstore/core"
import { openTestStore, MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { claims } from "@petstore/storage-conformance"
import { toWebHandler, serve } from "@petstore/http-adapter"
import { petStoreClient, webTransport } from "@petstore/http-adapter/client"
import { petStoreEffectClient } from "@petstore/http-adapter/effect-client"

const shops = [MemoryStorage.layer, SqliteStorage.layer({ filename: "pets.db" })]
for (const storage of shops) {
  await using store = await PetStore.open({ storage })
  const cats = await store.categories.create({ name: "Cats" })
  const pet: Pet = await store.pets.create({ name: "Minka", categoryId: cats.id })
  try {
    await store.pets.get(pet.id + 1)
  } catch (error) {
    console.log(pet.name, error instanceof NotFound ? error.code : error)
  }
}
await using store = await openTestStore({ seed: 1 })
console.log((await toWebHandler(store)(new Request("http://shop.test/pets"))).status)
console.log([serve, petStoreClient, webTransport, petStoreEffectClient].every((each) => typeof each === "function"))
console.log(claims.length > 0)
`

const compilerOptions = {
  target: "ES2023",
  lib: ["ES2023", "ESNext.Disposable", "DOM"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true
}

const aFolder = folders()
let folder = ""

/** Links what this repository has installed of others; of ours there is only what was packed. */
const linkOthers = (modules: string): void => {
  const installed = join(root, "node_modules")
  for (const name of readdirSync(installed)) {
    if (name === "@petstore" || name.startsWith(".")) continue
    symlinkSync(join(installed, name), join(modules, name))
  }
}

const pack = async (name: string): Promise<void> => {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]
  const { stdout } = await run("npm", args, { cwd: join(root, "packages", name) })
  const target = join(folder, "node_modules/@petstore", name)
  mkdirSync(target, { recursive: true })
  await run("tar", ["-xzf", join(folder, stdout.trim()), "-C", target, "--strip-components=1"])
}

beforeAll(async () => {
  folder = aFolder()
  mkdirSync(join(folder, "node_modules/@petstore"), { recursive: true })
  linkOthers(join(folder, "node_modules"))
  await Promise.all(names.map(pack))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(folder, "main.ts"), PROGRAM)
}, 60_000)

describe("in a project elsewhere", () => {
  test.each([
    ["nodenext", { module: "nodenext", moduleResolution: "nodenext", outDir: "out" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler", noEmit: true }]
  ])("the packed packages type-check with %s resolution", async (name, resolution) => {
    const config = join(folder, `tsconfig.${name}.json`)
    writeFileSync(
      config,
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...resolution }, files: ["main.ts"] })
    )
    const tsc = join(root, "node_modules/@typescript/native/bin/tsc")
    const { stdout } = await run(process.execPath, [tsc, "-p", config], { cwd: folder })
    expect(stdout).toBe("")
  })

  test("the program that was compiled against them runs", async () => {
    const { stdout } = await run(process.execPath, [join(folder, "out/main.js")], { cwd: folder })
    expect(stdout.trim().split("\n")).toEqual(["Minka not_found", "Minka not_found", "401", "true", "true"])
  })

  test("the packed command runs", async () => {
    const command = join(folder, "node_modules/@petstore/cli/bin/petstore.js")
    const { stdout } = await run(process.execPath, [command, "--help"], { cwd: folder })
    expect(stdout).toContain("serve")
  })
})

describe("a package", () => {
  test.each(names)(
    "%s has a licence, a description, types for each entry point, and no test in it",
    (name) => {
      const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"))
      expect(manifest).toMatchObject({ license: "MIT", description: expect.any(String), type: "module" })
      for (const entry of Object.values<Record<string, string>>(manifest.exports ?? {})) {
        expect(Object.keys(entry)).toEqual(["@petstore/source", "types", "default"])
      }
      const packed = readdirSync(join(folder, "node_modules/@petstore", name))
      expect(packed).toContain("dist")
      expect(packed).not.toContain("test")
    }
  )
})
