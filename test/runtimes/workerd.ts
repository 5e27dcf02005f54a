/**
 * Runs the worker (worker.ts) in workerd, the path of which is the argument, and prints what it
 * answers. The bundle has no `node:` modules, and the compatibility date is from before workerd had
 * them without a flag.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { rolldown } from "rolldown"

const [workerd = ""] = process.argv.slice(2)

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js")],
    compatibilityDate = "2024-09-01"
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
`

const folder = mkdtempSync(join(tmpdir(), "petstore-worker-"))
const bundle = await rolldown({
  input: join(import.meta.dirname, "worker.js"),
  platform: "browser",
  logLevel: "silent"
})
await bundle.write({ file: join(folder, "worker.js"), format: "es", codeSplitting: false })
await bundle.close()
writeFileSync(join(folder, "config.capnp"), CONFIG)

// It writes to descriptor 3 which port it listens on.
const child = spawn(workerd, ["serve", join(folder, "config.capnp"), "--control-fd=3"], {
  stdio: ["ignore", "inherit", "inherit", "pipe"]
})
try {
  const control = child.stdio[3]
  if (!(control instanceof Readable)) throw new Error("workerd was started without descriptor 3")
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`workerd ended with ${code}`)))
  })
  const listening = (async () => {
    for await (const line of createInterface({ input: control })) {
      const { event, port } = JSON.parse(line)
      if (event === "listen") return port
    }
    return undefined
  })()
  const port = await Promise.race([listening, ended])
  const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(60_000) })
  const text = await answer.text()
  console.log(text)
  process.exitCode = answer.ok && !text.includes("not ok ") ? 0 : 1
} finally {
  child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
}
