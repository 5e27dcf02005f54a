/** The `sqlite3` command of the system: another SQLite, of another version, in another process. */
import { execFile, spawn, spawnSync } from "node:child_process"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"

const run = promisify(execFile)

export const hasForeignSqlite = spawnSync("sqlite3", ["--version"]).status === 0

/** For the title of a test that is skipped without it. */
export const unlessForeignSqlite = hasForeignSqlite ? "" : " (skipped: there is no sqlite3 command)"

/** What the statement prints. Opens the file, waits for locks, and closes it again. */
export const foreignSqlite = async (filename: string, statement: string): Promise<string> => {
  const { stdout } = await run("sqlite3", ["-cmd", ".timeout 10000", filename, statement])
  return stdout.trimEnd()
}

/**
 * A `sqlite3` that has run a statement that prints something, and keeps the file open until it is
 * killed.
 */
export const holding = async (filename: string, statement: string) => {
  const child = spawn("sqlite3", ["-cmd", ".timeout 10000", filename], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const ended = new Promise((resolve) => child.once("close", resolve))
  child.stdin.write(`${statement};\n`)
  await new Promise((resolve) => child.stdout.once("data", resolve))
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL")
    await ended
  }
  return { kill }
}
