/** Runs the programs of test/e2e/programs as processes of their own. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type OpenPetStore, PetStore } from "@petstore/core"
import { type DriverName, type SqliteOptions, SqliteStorage } from "@petstore/storage-sqlite"
import { onTestFinished } from "vitest"

const built = new URL("../dist/e2e/programs/", import.meta.url)
if (!existsSync(built))
  throw new Error(
    "the programs are not built: run node node_modules/@typescript/native/bin/tsc -b, then these tests"
  )

/** PETSTORE_TEST_LONG=1 runs the long form of the tests that have one. */
export const LONG = process.env["PETSTORE_TEST_LONG"] === "1"

export const aFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "pets.db")
}

export const openStore = async (options: SqliteOptions): Promise<OpenPetStore> => {
  const store = await PetStore.open({ storage: SqliteStorage.layer(options) })
  onTestFinished(() => store.close())
  return store
}

export type Running = {
  readonly child: ChildProcess
  /** All lines it has said so far, in full. */
  readonly said: ReadonlyArray<string>
  /** Resolves when it has said a line that starts so; rejects when it ends without. */
  readonly says: (start: string) => Promise<string>
  readonly ended: Promise<number | null>
  /** What it has written to stderr so far. */
  readonly complaint: () => string
}

type Program =
  | "keepShop"
  | "buy"
  | "addCategories"
  | "hold"
  | "call"
  | "serveAndDie"
  | "waitForChanges"
  | "readEvents"
  | "deliverAndDie"
  | "oldServer"
  | "writeAndLook"

/** The Node that runs a program, and the driver of its store unless that is the default. */
export type Place = { readonly node: string; readonly driver?: DriverName }

export const run = (program: Program, ...args: ReadonlyArray<string | number>): Running =>
  runOn({ node: process.execPath }, program, ...args)

export const runOn = (
  { node, driver }: Place,
  program: Program,
  ...args: ReadonlyArray<string | number>
): Running => {
  const path = fileURLToPath(new URL(`${program}.js`, built))
  const child = spawn(node, [path, ...args.map(String)], {
    env: { ...process.env, ...(driver === undefined ? {} : { PETSTORE_DRIVER: driver }) },
    stdio: ["pipe", "pipe", "pipe"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const said: Array<string> = []
  const listeners = new Set<() => void>()
  let rest = ""
  let complaint = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text))
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    said.push(...lines)
    for (const listener of listeners) listener()
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const says = (start: string) =>
    new Promise<string>((resolve, reject) => {
      const look = (): void => {
        const line = said.find((each) => each.startsWith(start))
        if (line === undefined) return
        listeners.delete(look)
        resolve(line)
      }
      listeners.add(look)
      look()
      void ended.then((code) =>
        reject(new Error(`${program} ended with ${code} before "${start}": ${complaint}`))
      )
    })
  return { child, said, says, ended, complaint: () => complaint }
}
