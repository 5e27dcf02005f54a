/**
 * `node stranger.js KIND BINARY`: what a stranger does with a fresh clone on a machine that has one
 * runtime and no compiler: installs, starts the demo shop, calls it, and runs the library. KIND is
 * `node`, `bun` or `deno`, and BINARY the path of that runtime. Packages come from the registry.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Claim, expectSame } from "./Claim.js"
import { inFolder } from "./file.js"
import { main } from "./main.js"

const root = join(import.meta.dirname, "../../..")

/** The commands of the README, and how a program is run. */
const COMMANDS: Readonly<Record<string, readonly [install: string, start: string, run: string]>> = {
  node: ["npm ci", "npm start -- --port 0", "node"],
  bun: ["bun install", "bun run start --port 0", "bun"],
  deno: ["deno install", "deno task start --port 0", "deno run --allow-all"]
}

/** All that is on the PATH besides the runtime: no compiler, no make, no Python. */
const PROGRAMS = ["sh", "env", "uname", "sed", "dirname", "basename", "readlink", "cat", "ls"]

const placeOf = (program: string): string =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path)) ?? ""

const pathWith = (folder: string, kind: string, binary: string): string => {
  const bin = join(folder, "bin")
  mkdirSync(bin)
  for (const program of PROGRAMS) symlinkSync(placeOf(program), join(bin, program))
  symlinkSync(binary, join(bin, kind))
  const npm = process.env["npm_execpath"]
  if (kind === "node" && npm !== undefined) {
    writeFileSync(join(bin, "npm"), `#!/bin/sh\nexec node "${npm}" "$@"\n`)
    chmodSync(join(bin, "npm"), 0o755)
  }
  return bin
}

/** The environment without what npm has set for the scripts that it runs. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry$)/i.test(name))
  )

const GOLDFISH = `
import { PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
const store = await PetStore.open({ storage: SqliteStorage.layer({ filename: "fish.db" }) })
const { id } = await store.categories.create({ name: "Fish" })
const goldie = await store.pets.create({ name: "Goldie", categoryId: id })
await store.orders.place({ petId: goldie.id, complete: true })
console.log((await store.pets.get(goldie.id)).status)
await store.close()
`

/** Ends a program that was started as the head of a process group, with all that it started. */
const stop = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise((resolve) => child.once("close", resolve))
  process.kill(-(child.pid ?? 0), "SIGINT")
  await ended
}

const claimOf = (kind: string, binary: string): Claim => {
  const [install, start, run] = COMMANDS[kind] ?? ["", "", ""]
  return {
    claim: `${install} && ${start}, with nothing to compile`,
    check: () =>
      inFolder(async (folder) => {
        const clone = join(folder, "clone")
        execFileSync("git", ["clone", "--quiet", root, clone])
        const env = {
          ...ownEnvironment(),
          PATH: pathWith(folder, kind, binary),
          npm_config_cache: join(folder, "npm"),
          BUN_INSTALL_CACHE_DIR: join(folder, "bun"),
          DENO_DIR: join(folder, "deno")
        }
        const shell = (command: string): string =>
          execFileSync("sh", ["-c", command], {
            cwd: clone,
            env,
            encoding: "utf8",
            stdio: ["ignore", "pipe", "pipe"]
          })
        shell(install)
        expectSame(existsSync(join(clone, "node_modules/better-sqlite3/build")), false)
        const server = spawn("sh", ["-c", start], {
          cwd: clone,
          env,
          detached: true,
          stdio: ["ignore", "pipe", "inherit"]
        })
        const output = await new Promise<string>((resolve, reject) => {
          let text = ""
          server.stdout.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk
            if (text.includes("Ctrl-C stops it.")) resolve(text)
          })
          server.once("close", () => reject(new Error(`${start} ended: ${text}`)))
        })
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? ""
        const key = /ps_[0-9A-Za-z]{38}/.exec(output)?.[0] ?? ""
        const headers = { "x-api-key": key, "content-type": "application/json" }
        const made = await fetch(`${url}/pets`, {
          method: "POST",
          headers,
          body: '{"name":"Goldie","categoryId":1}'
        })
        expectSame(made.status, 201)
        await stop(server)
        writeFileSync(join(clone, "goldfish.mjs"), GOLDFISH)
        expectSame(shell(`${run} goldfish.mjs`), "sold\n")
        const status = shell(`${run} packages/cli/bin/petstore.js verify --db petstore.db`)
        expectSame(status.includes("petstore.db"), true)
        const changed = execFileSync("git", ["status", "--short"], { cwd: clone, encoding: "utf8" })
        expectSame(changed, "")
      })
  }
}

const [kind = "", binary = ""] = process.argv.slice(2)
await main([claimOf(kind, binary)])
