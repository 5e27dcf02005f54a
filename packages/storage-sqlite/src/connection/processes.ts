/** Which processes have a file open, where the system tells (Linux). */
import { readdirSync, readFileSync } from "node:fs"
import { descriptorsOf, type FileId, fileIdOf } from "./OpenFiles.js"
import type { ProcessInfo } from "./ProcessInfo.js"

/** So many words of a command line, which end before options that may hold a key. */
const WORDS = 4

const commandOf = (pid: string): string => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\u0000")
    const options = words.findIndex((word) => word.startsWith("-"))
    return words
      .slice(0, Math.min(WORDS, options === -1 ? WORDS : options))
      .join(" ")
      .trim()
  } catch {
    return ""
  }
}

/**
 * All but this one that have the file open. Undefined where the system doesn't tell; only root sees
 * the processes of others.
 */
export const processesWith = (id: FileId): ReadonlyArray<ProcessInfo> | undefined => {
  if (process.platform !== "linux") return undefined
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => descriptorsOf(pid).has(id))
    .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }))
}

/** Another process that has the file of this name open, if the system tells of one. */
export const userOf = (path: string): ProcessInfo | undefined => {
  const id = fileIdOf(path)
  return id === undefined ? undefined : processesWith(id)?.[0]
}

/** Whether another process has the file open, as far as the system tells. */
export const isOpenElsewhere = (id: FileId): boolean => (processesWith(id) ?? []).length > 0
