/** Claims on the command, which is run as a process. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { fetchTransport, petStoreClient } from "@petstore/http-adapter/client"
import { type Claim, expectSame } from "./Claim.js"
import { inFolder } from "./file.js"

const launcher = join(import.meta.dirname, "../../../packages/cli/bin/petstore.js")

export type Ended = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> }

const start = (
  runtimeArgs: ReadonlyArray<string>,
  args: ReadonlyArray<string>,
  onOutput: (stdout: string) => void = () => undefined
): Started => {
  const child = spawn(process.execPath, [...runtimeArgs, launcher, ...args], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
    onOutput(stdout)
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, ended }
}

/** Runs the command to its end. `runtimeArgs` come before its file. */
export const petstore = (
  runtimeArgs: ReadonlyArray<string>,
  ...args: ReadonlyArray<string>
): Promise<Ended> => start(runtimeArgs, args).ended

/** Starts `petstore serve`. Resolves to a client of it once it has printed all. */
const served = async (runtimeArgs: ReadonlyArray<string>, ...args: ReadonlyArray<string>) => {
  let onPrinted: (stdout: string) => void = () => undefined
  const printed = new Promise<string>((resolve) => (onPrinted = resolve))
  const started = start(runtimeArgs, ["serve", "--port", "0", ...args], (stdout) => {
    if (stdout.endsWith("\nCtrl-C stops it.\n")) onPrinted(stdout)
  })
  const ended = started.ended.then(({ code, stderr }): string => {
    throw new Error(`serve ended with ${code}: ${stderr}`)
  })
  const output = await Promise.race([printed, ended])
  const url = output.split("\n")[0]?.split(" ").at(-1) ?? ""
  const key = /ps_[0-9A-Za-z]{38}/.exec(output)?.[0] ?? ""
  return { ...started, shop: petStoreClient({ transport: fetchTransport(url), key }) }
}

/** The claims, with what the runtime needs before the file that it runs. */
export const command = (runtimeArgs: ReadonlyArray<string>): ReadonlyArray<Claim> => [
  {
    claim: "petstore serve --demo keeps a shop in a file, and stops at SIGINT",
    check: () =>
      inFolder(async (folder) => {
        const filename = join(folder, "shop.db")
        const { child, ended, shop } = await served(runtimeArgs, "--demo", "--db", filename)
        const fish = await shop.categories.create({ name: "Small fish" })
        const goldie = await shop.pets.create({ name: "Goldie", categoryId: fish.id })
        const created = await petstore(
          runtimeArgs,
          "keys",
          "create",
          "--plan",
          "pro",
          "--db",
          filename
        )
        expectSame([created.code, created.stderr], [0, ""])
        // `kill` of the child would have Deno report the signal in place of the exit code.
        process.kill(child.pid ?? 0, "SIGINT")
        const { code, stderr } = await ended
        expectSame([code, stderr.split("\n").filter((line) => !line.startsWith("{"))], [0, [""]])
        const history = ["history", "pet", `${goldie.id}`, "--db", filename]
        const told = await petstore(runtimeArgs, ...history)
        expectSame([told.code, told.stdout.includes("Goldie")], [0, true])
        const verified = await petstore(runtimeArgs, "verify", "--db", filename)
        expectSame([verified.code, verified.stderr], [0, ""])
      })
  }
]
