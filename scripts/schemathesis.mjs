// `npm run test:schemathesis`: all checks of schemathesis, in all of its phases, on a store in
// memory and
// one in a file. Arguments go to `schemathesis run`, such as `-n 10` for fewer cases. Skips where
// it is
// not installed. Last run with schemathesis 4.32.5.
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const name = ["schemathesis", "st"].find((each) => spawnSync(each, ["--version"]).status === 0)
if (name === undefined) {
  console.log("skipped: schemathesis is not on the PATH (pip install schemathesis)")
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), "petstore-schemathesis-"))

const serve = (args) =>
  new Promise((resolve, reject) => {
    const server = spawn(
      process.execPath,
      [join(root, "packages/cli/bin/petstore.js"), "serve", "--port", "0", "--demo", ...args],
      {
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    let url = ""
    createInterface({ input: server.stdout }).on("line", (line) => {
      url ||= line.split(" ").at(-1)
      const key = /ps_[0-9A-Za-z]{38}/.exec(line)?.[0]
      if (key !== undefined) resolve({ server, url, key })
    })
    server.on("exit", (code) => reject(new Error(`petstore serve ended with ${code}`)))
  })

const check = async (what, args) => {
  const { server, url, key } = await serve(args)
  console.log(`schemathesis on ${what}, ${url}`)
  const run = spawn(
    name,
    [
      "--config-file",
      join(root, "schemathesis.toml"),
      "run",
      `${url}/openapi.json`,
      "-H",
      `X-API-Key: ${key}`,
      "--checks",
      "all",
      "--mode",
      "all",
      ...process.argv.slice(2)
    ],
    // It keeps what it has found in a folder where it is run.
    { cwd: folder, stdio: "inherit" }
  )
  const code = await new Promise((resolve) => run.on("exit", resolve))
  server.removeAllListeners("exit")
  server.kill("SIGTERM")
  await new Promise((resolve) => server.on("exit", resolve))
  return code
}

try {
  const memory = await check("a store in memory", ["--memory"])
  const file = await check("a store in a file", ["--db", join(folder, "pets.db")])
  process.exitCode = memory === 0 && file === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
