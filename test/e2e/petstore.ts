/** Runs the built `petstore` as its users do: as a process. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = new URL("../../", import.meta.url)
export const launcher = fileURLToPath(new URL("packages/cli/bin/petstore.js", root))

/** When the newest of the compiled files was written, those that the command is bundled of. */
const compiledMs = (): number =>
  ["cli", "core", "http-adapter", "storage-memory", "storage-sqlite"]
    .map((name) => fileURLToPath(new URL(`packages/${name}/dist/`, root)))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => folder + file)
    )
    .filter((file) => file.endsWith(".js"))
    .reduce((newest, file) => Math.max(newest, statSync(file).mtimeMs), 0)

const bundle = new URL("packages/cli/dist/node/", root)
const bundledMs = existsSync(bundle) ? statSync(new URL("LICENCES.txt", bundle)).mtimeMs : 0
if (bundledMs < compiledMs()) {
  throw new Error(
    "packages/cli is not built, or was compiled again since: run npm run build, then these tests"
  )
}

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const environment = (extra: Readonly<Record<string, string>>) => {
  const { PETSTORE_KEY: _, NODE_OPTIONS: __, ...rest } = process.env
  return { ...rest, ...extra }
}

const running = new Set<ChildProcess>()

/** Ends what a failed test left running. */
export const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL")
}

export type Started = {
  readonly child: ChildProcess
  readonly output: { stdout: string; stderr: string }
  readonly ended: Promise<Ended>
}

export const start = (
  args: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>> = {},
  cwd = process.cwd()
): Started => {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd,
    env: environment(extra),
    stdio: ["ignore", "pipe", "pipe"]
  })
  running.add(child)
  const output = { stdout: "", stderr: "" }
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  const ended = new Promise<Ended>((resolve) =>
    child.once("close", (code) => {
      running.delete(child)
      resolve({ code, ...output })
    })
  )
  return { child, output, ended }
}

export const petstore = (
  args: ReadonlyArray<string>,
  extra?: Readonly<Record<string, string>>
): Promise<Ended> => start(args, extra).ended

/**
 * What a command with `--json` prints; throws unless that is one JSON object, and all that it says.
 */
export const petstoreJson = async <A = Readonly<Record<string, unknown>>>(
  ...args: ReadonlyArray<string>
): Promise<A> => {
  const { code, stdout, stderr } = await petstore([...args, "--json"])
  if (code !== 0 || stdout.trimEnd().includes("\n"))
    throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}

export type Served = Started & {
  readonly url: string
  readonly key: string
  /** Calls with the key that was printed, or another one. */
  readonly call: (path: string, init?: RequestInit, key?: string) => Promise<Response>
}

/** Starts `petstore serve` on a free port; resolves once all it says at its start has been said. */
export const served = (...args: ReadonlyArray<string>): Promise<Served> => servedIn({}, ...args)

/** The same, with these variables in its environment. */
export const servedIn = async (
  extra: Readonly<Record<string, string>>,
  ...args: ReadonlyArray<string>
): Promise<Served> => {
  const started = start(["serve", "--port", "0", ...args], extra)
  const { child, output, ended } = started
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", () => {
      if (output.stdout.endsWith("\nCtrl-C stops it.\n")) resolve()
    })
    void ended.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)))
  })
  const url = output.stdout.split("\n")[0]?.split(" ").at(-1) ?? ""
  const printed = /ps_[0-9A-Za-z]{38}/.exec(output.stdout)?.[0] ?? ""
  const call = (path: string, init: RequestInit = {}, key: string = printed) =>
    fetch(url + path, {
      ...init,
      headers: {
        "x-api-key": key,
        ...(init.body === undefined ? {} : { "content-type": "application/json" })
      }
    })
  return { ...started, url, key: printed, call }
}
