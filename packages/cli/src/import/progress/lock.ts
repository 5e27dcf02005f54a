/** Keeps a second import off a file while a first one works on it, and not for longer. */
import { randomUUID } from "node:crypto"
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import process from "node:process"
import * as Schema from "effect/Schema"
import { formatSeconds } from "../../terminal/text.js"
import { isAlive, processSpace, startOf } from "./processIdentity.js"

/** Another import holds the file. */
export class ImportLocked extends Error {
  override readonly name = "ImportLocked"
}

/** What a lock file says of who made it. */
const Holder = Schema.Struct({
  pid: Schema.Int.pipe(Schema.positive()),
  /** See `processIdentity`; null where the system does not say. */
  space: Schema.NullOr(Schema.String),
  start: Schema.NullOr(Schema.String),
  /** No other lock has it. */
  token: Schema.String
})
type Holder = typeof Holder.Type

const isHolder = Schema.is(Holder)

/** How often a holder touches its lock, and after how long without that nobody holds it. */
const TOUCH_MS = 2_000
const LEFT_MS = 20_000

/**
 * Takes the lock of `file`, which is a file beside it, or throws {@link ImportLocked}. Returns what gives
 * it back. A process that died holds nothing. Where one process can be told from another (Linux
 * within a container; macOS), that is known at once, whoever has its id by now. Elsewhere, and of
 * another container or machine on the same file system, it is known {@link LEFT_MS} after the last
 * touch.
 */
export const lock = (file: string, nowMs: () => number = Date.now): (() => void) => {
  const path = `${file}.lock`
  const token = randomUUID()
  const own: Holder = {
    pid: process.pid,
    space: processSpace() ?? null,
    start: startOf(process.pid) ?? null,
    token
  }
  while (!create(path, JSON.stringify(own), token)) {
    const found = read(path)
    if (found === undefined) continue // given back meanwhile
    const why = whyHeld(found, own, nowMs())
    if (why !== undefined) throw new ImportLocked(`${file}: ${why}`)
    remove(path, found.text, token)
  }
  const touching = setInterval(() => touch(path, nowMs()), TOUCH_MS).unref()
  return () => {
    clearInterval(touching)
    if (read(path)?.holder?.token === token) rmSync(path, { force: true })
  }
}

type Found = {
  readonly text: string
  /** Undefined for what no lock of ours says. */
  readonly holder: Holder | undefined
  readonly touchedMs: number
}

const read = (path: string): Found | undefined => {
  try {
    const text = readFileSync(path, "utf8")
    return { text, holder: holderOf(text), touchedMs: statSync(path).mtimeMs }
  } catch (cause) {
    if (isError(cause, "ENOENT")) return undefined
    throw cause
  }
}

const holderOf = (text: string): Holder | undefined => {
  try {
    const said: unknown = JSON.parse(text)
    return isHolder(said) ? said : undefined
  } catch {
    return undefined
  }
}

/** Who holds a lock, in words; undefined if nobody does. */
const whyHeld = ({ holder, touchedMs }: Found, own: Holder, nowMs: number): string | undefined => {
  if (holder === undefined) return undefined
  const { pid, space, start } = holder
  if (space === own.space) {
    const startNow = startOf(pid)
    if (startNow === undefined ? !isAlive(pid) : start !== null && startNow !== start) return undefined
    if (start !== null && startNow === start)
      return `process ${pid} is importing with it; wait until that has ended`
  }
  const leftMs = LEFT_MS - Math.abs(nowMs - touchedMs)
  if (leftMs <= 0) return undefined
  return `process ${pid}, perhaps of another container or machine, is importing with it, or has just ended; try again in ${formatSeconds(leftMs / 1_000)}`
}

/**
 * Whether the lock could be made; it is never seen without its content where the file system has
 * links.
 */
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

/**
 * Removes the lock that says `text`. One that another process has made in its place is put back.
 */
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
    // It is gone, or may not be touched: others find that out by the same file.
  }
}

const isError = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code
