/** The `sqlite3` command of the system: another SQLite, of another version, in another process. */
import { execFile, spawnSync } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

export const hasForeignSqlite = spawnSync("sqlite3", ["--version"]).status === 0

/** For the title of a test that is skipped without it. */
export const unlessForeignSqlite = hasForeignSqlite ? "" : " (skipped: there is no sqlite3 command)"

/** What the statement prints. Opens the file, waits for locks, and closes it again. */
export const foreignSqlite = async (filename: string, statement: string): Promise<string> => {
  const { stdout } = await run("sqlite3", ["-cmd", ".timeout 10000", filename, statement])
  return stdout.trimEnd()
}
