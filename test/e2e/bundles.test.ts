/** A program with a file, bundled for Node and run away from where it was made. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build, type BuildOptions } from "esbuild"
import { describe, expect, test } from "vitest"
import { folders } from "./aFolder.js"
import { betterSqlite3Path, hasBetterSqlite3, hasBuiltinSqlite } from "./openSqlite.js"

const newFolder = folders()
const run = promisify(execFile)
const root = fileURLToPath(new URL("../../", import.meta.url))

const PROGRAM = `
import { PetStore } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { SqliteStorage } from "@petstore/storage-sqlite"

const main = async () => {
  const store = await PetStore.open({ storage: SqliteStorage.layer({ filename: "shop.db" }) })
  const { id } = await store.categories.create({ name: "Fish" })
  const server = await serve(store, { port: 0 })
  console.log("stored", id, (await fetch(server.url + "/health/ready")).status)
  await server.close()
  await store.close()
}
main().catch(({ message }) => console.log(message))
`

/** The bundled program in a folder of its own, and the warnings of the bundler. */
const bundled = async (options: BuildOptions) => {
  const folder = newFolder()
  const file = options.format === "cjs" ? "shop.cjs" : "shop.mjs"
  const { warnings } = await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
    outfile: join(folder, file),
    bundle: true,
    platform: "node",
    logLevel: "silent",
    ...options
  })
  /** What the program prints, with the default driver or another one. */
  const says = async (driver = "") => {
    const env = { ...process.env, PETSTORE_DRIVER: driver }
    return (await run(process.execPath, [file], { cwd: folder, env })).stdout.trimEnd()
  }
  return { folder, file, says, warnings: warnings.map(({ text }) => text) }
}

const driverFolder = dirname(dirname(betterSqlite3Path()))

/** Installs the driver, and nothing else, where a program is. */
const installDriver = (folder: string): void => {
  mkdirSync(join(folder, "node_modules"), { recursive: true })
  symlinkSync(driverFolder, join(folder, "node_modules", "better-sqlite3"))
}

const WAYS: Readonly<Record<string, BuildOptions>> = {
  "as an ES module": { format: "esm" },
  "as an ES module, with the driver left out by name": {
    format: "esm",
    external: ["better-sqlite3"]
  },
  "as an ES module, minified": { format: "esm", minify: true },
  "as CommonJS": { format: "cjs" }
}

describe.each(Object.keys(WAYS))("a program that esbuild bundles %s", (way) => {
  test.skipIf(!hasBuiltinSqlite)("needs nothing beside it where Node has SQLite", async () => {
    const { folder, file, says, warnings } = await bundled(WAYS[way] ?? {})
    expect(warnings).toEqual([])
    expect(await says()).toBe("stored 1 200")
    expect(readdirSync(folder).filter((name) => !name.startsWith("shop.db"))).toEqual([file])
  })

  test("names the missing package where better-sqlite3 is its driver", async () => {
    const { folder, file, says, warnings } = await bundled(WAYS[way] ?? {})
    expect(warnings).toEqual([])
    expect(await says("better-sqlite3")).toMatch(
      /^Unavailable: SQLite's driver can't be loaded \(Cannot find module 'better-sqlite3'\): .* \(external: better-sqlite3\)/
    )
    expect(readdirSync(folder)).toEqual([file])
  })

  test.skipIf(!hasBetterSqlite3)("runs where better-sqlite3 is installed", async () => {
    const { folder, says } = await bundled(WAYS[way] ?? {})
    installDriver(folder)
    expect(await says("better-sqlite3")).toBe("stored 1 200")
  })

  test.skipIf(!hasBetterSqlite3)("runs where @petstore/sqlite-driver brings it", async () => {
    const { folder, says } = await bundled(WAYS[way] ?? {})
    const wrapper = join(folder, "node_modules", "@petstore", "sqlite-driver")
    cpSync(join(root, "drivers/better-sqlite3"), wrapper, { recursive: true })
    installDriver(wrapper)
    expect(await says("better-sqlite3")).toBe("stored 1 200")
  })
})

describe.skipIf(!hasBetterSqlite3)("a driver that is installed", () => {
  /** A copy of the driver with this in place of its native part. */
  const damaged = async (native: string | undefined): Promise<string> => {
    const { folder, says } = await bundled({ format: "esm" })
    const driver = join(folder, "node_modules", "better-sqlite3")
    cpSync(join(driverFolder, "lib"), join(driver, "lib"), { recursive: true })
    cpSync(join(driverFolder, "package.json"), join(driver, "package.json"))
    for (const name of ["bindings", "file-uri-to-path"]) {
      symlinkSync(join(driverFolder, "..", name), join(folder, "node_modules", name))
    }
    if (native !== undefined) {
      mkdirSync(join(driver, "build", "Release"), { recursive: true })
      writeFileSync(join(driver, "build", "Release", "better_sqlite3.node"), native)
    }
    const said = await says("better-sqlite3")
    expect(readdirSync(folder).toSorted()).toEqual(["node_modules", "shop.mjs"])
    return said
  }

  test("without its native part, or with that of another system, the message says to install it again", async () => {
    const told = / where the program runs, for the Node that runs it/
    for (const [native, why] of [
      [undefined, "(Could not locate the bindings file"],
      ["not for this system", "better_sqlite3.node"]
    ] as const) {
      const said = await damaged(native)
      expect(said).toContain("Unavailable: SQLite's driver can't be loaded")
      expect(said).toContain(why)
      expect(said).toMatch(told)
    }
  })
})
