/**
 * What the first page of a SQLite file says, read without SQLite, which would change files merely
 * by opening them. The only place where a descriptor of our own is opened on a database or its log,
 * and only while this process has no connection to it: see `OpenFiles`.
 */
import { closeSync, copyFileSync, existsSync, fstatSync, openSync, readSync } from "node:fs"
import { type FileId, fileIdOf, isOpenHere } from "./OpenFiles.js"

/** https://www.sqlite.org/fileformat2.html §1.3 */
const HEADER_BYTES = 100
const MAGIC = "SQLite format 3\u0000"

/** https://www.sqlite.org/fileformat2.html §4.1 */
const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

export type FileHeader = {
  readonly applicationId: number
  /** Schema and session: see `schemaOf` and `sessionOf`. */
  readonly userVersion: number
  /** How long the file is according to its header, in bytes. */
  readonly bytes: number
}

export type Peek = {
  readonly size: number
  /** Undefined where it is no SQLite file. */
  readonly header: FileHeader | undefined
  readonly log: LogPeek | undefined
  /** Whether the header was the same before and after the log was looked at. */
  readonly isSteady: boolean
}

/** What a log with frames in it has of the first page. */
export type LogPeek = {
  /** The oldest state of it in the log, and whether that can follow on the page in the file. */
  readonly first: FileHeader | undefined
  readonly startsSession: boolean
  /** The newest state of it that was committed. */
  readonly newest: FileHeader | undefined
}

type Descriptor = {
  readonly read: (bytes: number, from: number) => Buffer
  readonly size: () => number
}

const withFile = <A>(path: string, use: (file: Descriptor) => A): A => {
  const descriptor = openSync(path, "r")
  try {
    return use({
      read: (bytes, from) => {
        const into = Buffer.alloc(bytes)
        return into.subarray(0, readSync(descriptor, into, 0, bytes, from))
      },
      size: () => fstatSync(descriptor).size
    })
  } finally {
    closeSync(descriptor)
  }
}

const decode = (page: Buffer | undefined): FileHeader | undefined => {
  if (page === undefined || page.length < HEADER_BYTES) return undefined
  if (page.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined
  return {
    applicationId: page.readUInt32BE(68),
    userVersion: page.readInt32BE(60),
    bytes: page.readUInt32BE(28) * pageBytesOf(page)
  }
}

const pageBytesOf = (page: Buffer): number => {
  const stored = page.readUInt16BE(16)
  return stored === 1 ? 65_536 : stored
}

/**
 * The newest state of the first page is looked for no further than this, so that looking does not
 * take longer than opening. The first state is looked for in all of the log.
 */
const MAX_LOG_BYTES = 64 * 2 ** 20

/**
 * Undefined while this process has the file open: then ask SQLite. Another process may checkpoint
 * while this one looks, so header and log are of one moment only where `isSteady` says so.
 */
export const peekAt = (path: string): Peek | undefined => {
  const id = fileIdOf(path)
  if (id === undefined || isOpenHere(id)) return undefined
  return withFile(path, ({ read, size }) => {
    const first = read(HEADER_BYTES, 0)
    const header = decode(first)
    const firstPage = header === undefined ? undefined : read(pageBytesOf(first), 0)
    const log = firstPage && peekAtLog(`${path}-wal`, firstPage)
    return { header, size: size(), log, isSteady: read(HEADER_BYTES, 0).equals(first) }
  })
}

/**
 * Frames are told from leftovers by the salt in their headers; their checksums are left to SQLite.
 * A log may go away while it is looked at: with the last process that had the file open.
 */
const peekAtLog = (path: string, firstPage: Buffer): LogPeek | undefined => {
  try {
    return withFile(path, ({ read, size }) => {
      const header = read(LOG_HEADER_BYTES, 0)
      if (header.length < LOG_HEADER_BYTES) return undefined
      return readLog(read, size(), header, firstPage)
    })
  } catch {
    return undefined
  }
}

const readLog = (
  read: Descriptor["read"],
  end: number,
  header: Buffer,
  firstPage: Buffer
): LogPeek | undefined => {
  const pageBytes = header.readUInt32BE(8)
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  const salt = header.subarray(16, 24)
  let first: Buffer | undefined
  let startsSession = false
  let latest: number | undefined
  let committed: number | undefined
  let frames = 0
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= end; at += frameBytes) {
    if (first !== undefined && at > MAX_LOG_BYTES) break
    const frame = read(FRAME_HEADER_BYTES, at)
    if (!frame.subarray(8, 16).equals(salt)) break
    const isCommit = frame.readUInt32BE(4) !== 0
    if (frame.readUInt32BE(0) === 1) {
      latest = at + FRAME_HEADER_BYTES
      if (first === undefined) {
        first = read(pageBytes, latest)
        startsSession = frames === 0 && isCommit && isSameButVersion(first, firstPage)
      }
    }
    if (isCommit) committed = latest
    frames++
  }
  if (frames === 0) return undefined
  const newest = committed === undefined ? undefined : decode(read(HEADER_BYTES, committed))
  return { first: decode(first), startsSession, newest }
}

/** The bytes of a page that change when nothing but `user_version` is set (fileformat2 §1.3). */
const VERSION_FIELDS: ReadonlyArray<readonly [from: number, to: number]> = [
  [24, 28],
  [60, 64],
  [92, 100]
]

const isSameButVersion = (one: Buffer, two: Buffer): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(two)]
  for (const page of [a, b]) for (const [from, to] of VERSION_FIELDS) page.fill(0, from, to)
  return a.equals(b)
}

/** https://www.sqlite.org/fileformat2.html §3 */
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex")

/**
 * Whether a rollback journal is left beside a file: SQLite takes back what the transaction of a
 * killed process has changed when it opens the file. Until then the file may have pages of both
 * states, and the first one may tell a length that the file never got. A journal that has ended
 * is deleted, emptied, or has no magic.
 */
export const hasJournal = (path: string): boolean => {
  try {
    return withFile(`${path}-journal`, ({ read }) =>
      read(JOURNAL_MAGIC.length, 0).equals(JOURNAL_MAGIC)
    )
  } catch {
    return false
  }
}

/** Copies a file without its log, over one that is there; this process must not have it open. */
export const copyMainFile = (path: string, copy: string): void => copyFileSync(path, copy)

/** What SQLite needs of a file to read it. The journal has all pages that are changed before it. */
const NEEDED = ["-wal", "", "-journal"] as const

/**
 * Copies a file, what its log has of it, and what a journal takes back of it: answers the copies,
 * or undefined while this process has the file open.
 */
export const copyFiles = (path: string, copy: string): ReadonlyArray<string> | undefined => {
  const id: FileId | undefined = fileIdOf(path)
  if (id === undefined || isOpenHere(id)) return undefined
  return NEEDED.filter((suffix) => existsSync(path + suffix)).map((suffix) => {
    copyFileSync(path + suffix, copy + suffix)
    return copy + suffix
  })
}
