/**
 * Names of drafts. A file is created as a draft, and gets its own name once it is complete. The
 * name of a draft has the id of the process, so that drafts of killed processes are recognized.
 */
import { randomUUID } from "node:crypto"
import { readdirSync, rmSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { wallClockMs } from "../base/timers.js"
import { fileIdOf, isOpenHere } from "./OpenFiles.js"
import { isOpenElsewhere } from "./processes.js"

const DRAFT = /\.new-(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/

export const draftName = (path: string): string => `${path}.new-${process.pid}-${randomUUID()}`

/** The drafts in the folder whose names begin with that of the file and a dot. */
const draftsBeside = (path: string): ReadonlyArray<string> => {
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(`${basename(path)}.`) && DRAFT.test(name))
      .map((name) => join(dirname(path), name))
  } catch {
    return []
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM"
  }
}

/**
 * Whether the process that creates the draft still runs. A draft that has the id of this process
 * and is older than it was created by an earlier one: in a container, each may get the same id.
 */
const isInProgress = (draft: string): boolean => {
  const pid = Number(DRAFT.exec(basename(draft))?.[1])
  if (pid !== process.pid) return isAlive(pid)
  const stats = statSync(draft, { throwIfNoEntry: false })
  return stats !== undefined && stats.mtimeMs >= wallClockMs() - process.uptime() * 1_000
}

/** Whether a process has it open, perhaps in another container, whose process ids differ. */
const isOpen = (draft: string): boolean => {
  const id = fileIdOf(draft)
  return id !== undefined && (isOpenHere(id) || isOpenElsewhere(id))
}

/**
 * Removes the drafts of killed processes, for the file itself and for copies that are named after
 * it, and the companions of those drafts.
 */
export const removeAbandonedDrafts = (path: string): void => {
  for (const draft of draftsBeside(path)) {
    if (!isInProgress(draft) && !isOpen(draft)) rmSync(draft, { force: true })
  }
}

/** The drafts of a file of this name. */
const draftsFor = (path: string): ReadonlyArray<string> =>
  draftsBeside(path).filter((draft) => draft.startsWith(`${path}.new-`))

/** Whether a running process is creating a file of this name. */
export const isBeingCreated = (path: string): boolean => draftsFor(path).some(isInProgress)

/** Whether a process was killed while it created a file of this name. */
export const hasAbandonedDraft = (path: string): boolean =>
  draftsFor(path).some((draft) => !isInProgress(draft))
