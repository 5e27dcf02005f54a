/** Keeps a second import off a file while a first one works on it. */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import process from "node:process"

/** Another process holds the file. */
export class Held extends Error {
  override readonly name = "Held"
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** What the lock of a process that died says does not count. */
const holderOf = (path: string): number | undefined => {
  try {
    const pid = Number(readFileSync(path, "utf8"))
    return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Takes the lock, or throws {@link Held}. Returns what gives it back. */
export const lock = (file: string): (() => void) => {
  const path = `${file}.lock`
  const holder = holderOf(path)
  if (holder !== undefined) {
    throw new Held(`process ${holder} is importing with ${file}; if it is not, delete ${path}`)
  }
  rmSync(path, { force: true })
  writeFileSync(path, String(process.pid), { flag: "wx", mode: 0o600 })
  return () => rmSync(path, { force: true })
}
