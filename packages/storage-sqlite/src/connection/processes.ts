/** Finds the processes that have a file open. Only Linux tells. */
import { readdirSync, readFileSync } from "node:fs"
import { descriptorsOf, type FileId, fileIdOf } from "./OpenFiles.js"
import type { ProcessInfo } from "./ProcessInfo.js"

/** The most words of a command line to show, without options, which may have a secret. */
const MAX_WORDS = 4

const commandOf = (pid: string): string => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\u0000")
    const options = words.findIndex((word) => word.startsWith("-"))
    return words
      .slice(0, Math.min(MAX_WORDS, options === -1 ? MAX_WORDS : options))
      .join(" ")
      .trim()
  } catch {
    return ""
  }
}

/**
 * The other processes that have the file open. Undefined if the system doesn't tell. Only root sees
 * the processes of other users.
 */
export const processesWith = (id: FileId): ReadonlyArray<ProcessInfo> | undefined => {
  if (process.platform !== "linux") return undefined
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => descriptorsOf(pid).has(id))
    .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }))
}

/** Another process that has the file of this name open, if one is known. */
export const processUsing = (path: string): ProcessInfo | undefined => {
  const id = fileIdOf(path)
  return id === undefined ? undefined : processesWith(id)?.[0]
}

/** Whether another process has the file open, as far as the system tells. */
export const isOpenElsewhere = (id: FileId): boolean => (processesWith(id) ?? []).length > 0
