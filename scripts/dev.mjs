// `npm run dev -- [options of serve]`: serves the demo shop, and builds and starts it again when a
// source file changes.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readdirSync, watch } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** Editors write a file in several steps. */
const SETTLE_MS = 200

const run = (...args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status === 0

const build = () =>
  run("node_modules/@typescript/native/bin/tsc", "-b", "tsconfig.build.json") &&
  run("scripts/bundle.mjs")

const start = () =>
  spawn(
    process.execPath,
    ["packages/cli/bin/petstore.js", "serve", "--demo", ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: "inherit"
    }
  )

const stop = async (child) => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill()
  await exited
}

let server
let isBusy = false
let isStale = false

/** Keeps the running server while the sources have errors. */
const restart = async () => {
  isStale = true
  if (isBusy) return
  isBusy = true
  while (isStale) {
    isStale = false
    if (!build()) continue
    await stop(server)
    server = start()
  }
  isBusy = false
}

let timer
for (const folder of readdirSync(join(root, "packages"))) {
  watch(join(root, "packages", folder, "src"), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void restart(), SETTLE_MS)
  })
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => void stop(server).then(() => process.exit(0)))
}
await restart()
