/** A lock file that keeps two imports from using one progress file. */
import { randomUUID } from "node:crypto"
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import process from "node:process"
import * as Schema from "effect/Schema"
import { formatSeconds } from "../../terminal/text.js"
import { isAlive, processSpace, startOf } from "./processIdentity.js"

/** Another import uses the file. */
export class ImportLocked extends Error {
  override readonly name = "ImportLocked"
}

/** The content of a lock file: the process that created it. */
const LockOwner = Schema.Struct({
  pid: Schema.Int.pipe(Schema.positive()),
  /** See `processIdentity`; null if the system does not tell. */
  space: Schema.NullOr(Schema.String),
  start: Schema.NullOr(Schema.String),
  /** Unique for each lock. */
  token: Schema.String
})
type LockOwner = typeof LockOwner.Type

const isOwner = Schema.is(LockOwner)

/** The owner touches its lock this often. Without a touch for the longer time it is abandoned. */
const TOUCH_MS = 2_000
const ABANDONED_MS = 20_000

/**
 * Takes the lock of `file`, or throws {@link ImportLocked}. Returns a function that releases it.
 * The lock of a process that died does not count. On Linux within one container, and on macOS, that
 * is detected at once, even if another process has the id. Otherwise the lock is free
 * {@link ABANDONED_MS} after its last touch.
 */
export const lock = (file: string, nowMs: () => number = Date.now): (() => void) => {
  const path = `${file}.lock`
  const token = randomUUID()
  const own: LockOwner = {
    pid: process.pid,
    space: processSpace() ?? null,
    start: startOf(process.pid) ?? null,
    token
  }
  while (!create(path, JSON.stringify(own), token)) {
    const current = read(path)
    if (current === undefined) continue // it was released meanwhile
    const why = whyLocked(current, own, nowMs())
    if (why !== undefined) throw new ImportLocked(`${file}: ${why}`)
    remove(path, current.text, token)
  }
  const touching = setInterval(() => touch(path, nowMs()), TOUCH_MS).unref()
  return () => {
    clearInterval(touching)
    if (read(path)?.owner?.token === token) rmSync(path, { force: true })
  }
}

type LockFile = {
  readonly text: string
  /** Undefined if the file is not a lock of an import. */
  readonly owner: LockOwner | undefined
  readonly touchedMs: number
}

const read = (path: string): LockFile | undefined => {
  try {
    const text = readFileSync(path, "utf8")
    return { text, owner: ownerOf(text), touchedMs: statSync(path).mtimeMs }
  } catch (cause) {
    if (isError(cause, "ENOENT")) return undefined
    throw cause
  }
}

const ownerOf = (text: string): LockOwner | undefined => {
  try {
    const content: unknown = JSON.parse(text)
    return isOwner(content) ? content : undefined
  } catch {
    return undefined
  }
}

/** Why the lock can't be taken, in words; undefined if it can. */
const whyLocked = (
  { owner, touchedMs }: LockFile,
  own: LockOwner,
  nowMs: number
): string | undefined => {
  if (owner === undefined) return undefined
  const { pid, space, start } = owner
  if (space === own.space) {
    const startNow = startOf(pid)
    if (startNow === undefined ? !isAlive(pid) : start !== null && startNow !== start)
      return undefined
    if (start !== null && startNow === start)
      return `process ${pid} is importing with it; wait until that has ended`
  }
  const leftMs = ABANDONED_MS - Math.abs(nowMs - touchedMs)
  if (leftMs <= 0) return undefined
  return (
    `process ${pid}, perhaps of another container or machine, is importing with it, or has ` +
    `just ended; try again in ${formatSeconds(leftMs / 1_000)}`
  )
}

/** Whether the lock could be created. With hard links it is never visible without its content. */
const create = (path: string, text: string, token: string): boolean => {
  const draft = `${path}.${token}.new`
  writeFileSync(draft, text, { flag: "wx", mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (cause) {
    if (isError(cause, "EEXIST")) return false
    return createWithoutLink(path, text)
  } finally {
    rmSync(draft, { force: true })
  }
}

const createWithoutLink = (path: string, text: string): boolean => {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 })
    return true
  } catch (cause) {
    if (isError(cause, "EEXIST")) return false
    throw cause
  }
}

/** Removes the lock with this text. A newer lock of another process is put back. */
const remove = (path: string, text: string, token: string): void => {
  const aside = `${path}.${token}`
  try {
    renameSync(path, aside)
  } catch (cause) {
    if (isError(cause, "ENOENT")) return
    throw cause
  }
  if (readFileSync(aside, "utf8") !== text) create(path, readFileSync(aside, "utf8"), token)
  rmSync(aside, { force: true })
}

const touch = (path: string, nowMs: number): void => {
  try {
    utimesSync(path, nowMs / 1_000, nowMs / 1_000)
  } catch {
    // It is gone or may not be touched. Other imports see the same file.
  }
}

const isError = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
