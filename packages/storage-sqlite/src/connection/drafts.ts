/**
 * Names of drafts: a file is made under such a name, and gets its own once it is whole. The name
 * says which process makes it, so that what a killed one left behind can be told.
 */
import { randomUUID } from "node:crypto"
import { readdirSync, rmSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { wallClockMs } from "../base/timers.js"
import { fileIdOf, isOpenHere } from "./OpenFiles.js"
import { isOpenElsewhere } from "./processes.js"

const DRAFT = /\.new-(\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/

export const draftName = (path: string): string => `${path}.new-${process.pid}-${randomUUID()}`

/** The names in the folder that begin with that of the file and a dot, and are of drafts. */
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
 * Whether the process that makes it still runs. A draft that is older than this process, and has
 * its id, was made by an earlier one: in a container each may have the same.
 */
const isUnfinished = (draft: string): boolean => {
  const pid = Number(DRAFT.exec(basename(draft))?.[1])
  if (pid !== process.pid) return isAlive(pid)
  const found = statSync(draft, { throwIfNoEntry: false })
  return found !== undefined && found.mtimeMs >= wallClockMs() - process.uptime() * 1_000
}

/**
 * Whether anybody has it open, in another container perhaps, whose process ids mean nothing here.
 */
const isOpen = (draft: string): boolean => {
  const id = fileIdOf(draft)
  return id !== undefined && (isOpenHere(id) || isOpenElsewhere(id))
}

/**
 * Removes the drafts of copies that were killed, of the file itself or of a copy that is named
 * after it, and what SQLite left beside them.
 */
export const removeLeftDrafts = (path: string): void => {
  for (const draft of draftsBeside(path)) {
    if (!isUnfinished(draft) && !isOpen(draft)) rmSync(draft, { force: true })
  }
}

/** The drafts of what was to have this name. */
const draftsFor = (path: string): ReadonlyArray<string> =>
  draftsBeside(path).filter((draft) => draft.startsWith(`${path}.new-`))

/** Whether a process that runs is making what shall have this name. */
export const isBeingMade = (path: string): boolean => draftsFor(path).some(isUnfinished)

/** Whether a process that was killed had begun to make it. */
export const wasBeingMade = (path: string): boolean =>
  draftsFor(path).some((draft) => !isUnfinished(draft))
