/**
 * The packages as they are published: packed, and put into a project elsewhere that knows nothing
 * of this repository.
 */
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
import { PetStore, NotFound, type Pet, ValidationFailed } from "@petstore/core"
import { decoderOf, NewPet } from "@petstore/core/schema"
import { openTestStore, MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { claims } from "@petstore/storage-conformance"
import { toWebHandler, serve } from "@petstore/http-adapter"
import { petStoreClient, webTransport } from "@petstore/http-adapter/client"
import { toWebHandler as toWorkerHandler } from "@petstore/http-adapter/web"
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
console.log([serve, petStoreClient, webTransport, toWorkerHandler, petStoreEffectClient].every((each) => typeof each === "function"))
console.log(claims.length > 0)
const decoded = decoderOf(NewPet)({ name: "Minka" })
console.log(decoded._tag === "Left" && decoded.left instanceof ValidationFailed)
`

const compilerOptions = {
  target: "ES2023",
  lib: ["ES2023", "ESNext.Disposable", "DOM"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  // Declarations too, ours and those they lean on.
  skipLibCheck: false
}

/** A page or a worker: neither Node nor a browser is there for the types to lean on. */
const BARE_PROGRAM = `
import { PetStore } from "@petstore/core"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"

const store = await PetStore.open({ storage: MemoryStorage.layer })
const name: string = (await store.pets.get(1)).name
export const shown = [name, (await openTestStore()).nowMs()]
`

/** The packages are ES modules, which every Node they support can require. */
const COMMONJS_PROGRAM = `
const { PetStore } = require("@petstore/core")
const { MemoryStorage } = require("@petstore/storage-memory")
const { toNodeHandler } = require("@petstore/http-adapter")

PetStore.open({ storage: MemoryStorage.layer }).then(async (store) => {
  const { id } = await store.categories.create({ name: "Cats" })
  console.log(id, typeof toNodeHandler(store))
  await store.close()
})
`

/** As it is written for a Node that does not know `using`, without TypeScript. */
const PLAIN_PROGRAM = `
import { PetStore, StoreClosed } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"

const store = await PetStore.open({ storage: MemoryStorage.layer })
try {
  console.log(await store.pets.list())
} finally {
  await store.close()
}
console.log(typeof store[Symbol.asyncDispose])
console.log(await store.pets.list().catch((error) => error instanceof StoreClosed))
`

const aFolder = folders()
let folder = ""

/** Links what this repository has installed of others; of ours there is only what was packed. */
const linkOthers = (modules: string): void => {
  const installed = join(root, "node_modules")
  for (const name of readdirSync(installed)) {
    if (name === "@petstore" || name === "@types" || name.startsWith(".")) continue
    symlinkSync(join(installed, name), join(modules, name))
  }
  // What else is there of @types, only this repository has asked for.
  mkdirSync(join(modules, "@types"))
  symlinkSync(join(installed, "@types/node"), join(modules, "@types/node"))
}

/** Packs all packages as they are published, and puts ours where they are installed. */
const installPacked = async (): Promise<void> => {
  const packed = join(folder, "packed")
  await run(process.execPath, [join(root, "scripts/pack.mjs"), packed])
  for (const name of names) {
    const target = join(folder, "node_modules/@petstore", name)
    mkdirSync(target, { recursive: true })
    const tarball = join(
      packed,
      `petstore-${name}-${manifestIn(root, "packages", name).version}.tgz`
    )
    await run("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"])
  }
}

beforeAll(async () => {
  folder = aFolder()
  mkdirSync(join(folder, "node_modules/@petstore"), { recursive: true })
  linkOthers(join(folder, "node_modules"))
  await installPacked()
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(folder, "main.ts"), PROGRAM)
  writeFileSync(join(folder, "bare.ts"), BARE_PROGRAM)
  writeFileSync(join(folder, "main.cjs"), COMMONJS_PROGRAM)
  writeFileSync(join(folder, "plain.js"), PLAIN_PROGRAM)
}, 60_000)

/** What TypeScript says of a program there. */
const complaints = async (name: string, options: object, file: string): Promise<string> => {
  const config = join(folder, `tsconfig.${name}.json`)
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [file] }))
  const tsc = join(root, "node_modules/@typescript/native/bin/tsc")
  return run(process.execPath, [tsc, "-p", config], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (failed: { readonly stdout: string }) => failed.stdout
  )
}

describe("in a project elsewhere", () => {
  test.each([
    ["nodenext", { module: "nodenext", moduleResolution: "nodenext", outDir: "out" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler", noEmit: true }]
  ])("the packed packages type-check with %s resolution", async (name, resolution) => {
    expect(await complaints(name, { ...compilerOptions, ...resolution }, "main.ts")).toBe("")
  })

  test("core and storage in memory type-check where there is neither Node nor a browser", async () => {
    const bare = { types: [], lib: ["ES2023", "ESNext.Disposable"], module: "esnext", noEmit: true }
    // The declarations of effect itself name streams and signals of the platform.
    const options = { ...compilerOptions, ...bare, moduleResolution: "bundler", skipLibCheck: true }
    expect(await complaints("bare", options, "bare.ts")).toBe("")
  })

  test("the program that was compiled against them runs", async () => {
    const { stdout } = await run(process.execPath, [join(folder, "out/main.js")], { cwd: folder })
    expect(stdout.trim().split("\n")).toEqual([
      "Minka not_found",
      "Minka not_found",
      "401",
      "true",
      "true",
      "true"
    ])
  })

  test("a program in JavaScript closes its store in the end", async () => {
    const { stdout } = await run(process.execPath, [join(folder, "plain.js")], { cwd: folder })
    expect(stdout.trim().split("\n")).toEqual(["{ items: [] }", "function", "true"])
  })

  test("a program in CommonJS can require them", async () => {
    const { stdout } = await run(process.execPath, [join(folder, "main.cjs")], { cwd: folder })
    expect(stdout.trim()).toBe("1 function")
  })

  test("the packed command runs", async () => {
    const command = join(folder, "node_modules/@petstore/cli/bin/petstore.js")
    const { stdout } = await run(process.execPath, [command, "--help"], { cwd: folder })
    expect(stdout).toContain("serve")
  })
})

type Manifest = {
  readonly version: string
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const manifestIn = (...path: ReadonlyArray<string>): Manifest =>
  JSON.parse(readFileSync(join(...path, "package.json"), "utf8"))
const packed = (name: string): string => join(folder, "node_modules/@petstore", name)

describe.each(names)("the package %s", (name) => {
  test("has a licence, a description, types for each entry point, and no test in it", () => {
    const manifest = manifestIn(packed(name))
    expect(manifest).toMatchObject({
      license: "MIT",
      description: expect.any(String),
      type: "module"
    })
    for (const entry of Object.values(manifest.exports)) {
      expect(Object.keys(entry).filter((each) => each !== "node")).toEqual([
        "@petstore/source",
        "types",
        "default"
      ])
    }
    const files = readdirSync(packed(name))
    expect(files).toEqual(expect.arrayContaining(["dist", "LICENSE", "README.md"]))
    expect(files).not.toContain("test")
    expect(readFileSync(join(packed(name), "LICENSE"), "utf8")).toBe(
      readFileSync(join(root, "LICENSE"), "utf8")
    )
  })

  test("leaves the copy of effect to its host, from the version it is tested with to the next breaking one", () => {
    const { dependencies = {}, peerDependencies = {} } = manifestIn(packed(name))
    const tested = manifestIn(root).devDependencies ?? {}
    expect(Object.keys(dependencies).filter((each) => /^@?effect/.test(each))).toEqual([])
    const peers = Object.entries(peerDependencies).filter(([peer]) => /^@?effect/.test(peer))
    for (const [peer, range] of peers) {
      expect([peer, range]).toEqual([peer, `^${tested[peer]}`])
    }
  })

  test("goes with exactly its own version of the others", () => {
    const { version, dependencies = {}, optionalDependencies = {} } = manifestIn(packed(name))
    const ours = Object.entries({ ...dependencies, ...optionalDependencies }).filter(([each]) =>
      each.startsWith("@petstore/")
    )
    expect(ours).toEqual(ours.map(([each]) => [each, version]))
  })

  test("brings nothing native that a Node with a SQLite of its own would install", () => {
    const manifest = manifestIn(packed(name))
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
    const required = Object.keys(peerDependencies).filter(
      (peer) => peerDependenciesMeta[peer]?.optional !== true
    )
    expect([...Object.keys(dependencies), ...required]).not.toContain("better-sqlite3")
    expect(required.filter((peer) => !["effect", "@effect/platform"].includes(peer))).toEqual([])
  })
})

test("the driver's tarball, on which the tree depends, is what its folder packs to", async () => {
  const extracted = aFolder()
  const tarball = join(root, "drivers/petstore-sqlite-driver-0.1.0.tgz")
  await run("tar", ["-xzf", tarball, "-C", extracted, "--strip-components=1"])
  const filesIn = (path: string) =>
    readdirSync(path)
      .toSorted()
      .map((name) => [name, readFileSync(join(path, name), "utf8")])
  expect(filesIn(extracted)).toEqual(filesIn(join(root, "drivers/better-sqlite3")))
})
