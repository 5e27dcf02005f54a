/**
 * Reads the first page of a SQLite file and of its log without SQLite, which may change files when
 * it opens them. Only this module opens descriptors on a database or its log, and only while this
 * process has no connection to it: see `OpenFiles`.
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
  /** The length of the file in bytes, according to its header. */
  readonly fileBytes: number
}

export type FileHeaders = {
  readonly size: number
  /** Undefined if it is no SQLite file. */
  readonly header: FileHeader | undefined
  readonly log: LogHeader | undefined
  /** Whether the header was the same before and after the log was read. */
  readonly isConsistent: boolean
}

/** The versions of the first page in a log that has frames. */
export type LogHeader = {
  /** The oldest version in the log. */
  readonly oldest: FileHeader | undefined
  /** Whether the oldest version differs from the page in the file by `user_version` only. */
  readonly startsSession: boolean
  /** The newest version that was committed. */
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
    fileBytes: page.readUInt32BE(28) * pageBytesOf(page)
  }
}

const pageBytesOf = (page: Buffer): number => {
  const stored = page.readUInt16BE(16)
  return stored === 1 ? 65_536 : stored
}

/**
 * The search for the newest version of the first page ends here, so that it takes no longer than
 * opening the file. The search for the oldest version reads the whole log.
 */
const MAX_LOG_BYTES = 64 * 2 ** 20

/**
 * Undefined while this process has the file open: then use SQLite. Another process may checkpoint
 * meanwhile, so header and log are of the same moment only if `isConsistent` is true.
 */
export const readFileHeaders = (path: string): FileHeaders | undefined => {
  const id = fileIdOf(path)
  if (id === undefined || isOpenHere(id)) return undefined
  return withFile(path, ({ read, size }) => {
    const first = read(HEADER_BYTES, 0)
    const header = decode(first)
    const firstPage = header === undefined ? undefined : read(pageBytesOf(first), 0)
    const log = firstPage && readLogHeader(`${path}-wal`, firstPage)
    return { header, size: size(), log, isConsistent: read(HEADER_BYTES, 0).equals(first) }
  })
}

/**
 * The salt in the header of a frame distinguishes it from old frames; checksums are left to SQLite.
 * Undefined if the log is deleted meanwhile, by the last process that had the file open.
 */
const readLogHeader = (path: string, firstPage: Buffer): LogHeader | undefined => {
  try {
    return withFile(path, ({ read, size }) => {
      const header = read(LOG_HEADER_BYTES, 0)
      if (header.length < LOG_HEADER_BYTES) return undefined
      return readFrames(read, size(), header, firstPage)
    })
  } catch {
    return undefined
  }
}

const readFrames = (
  read: Descriptor["read"],
  end: number,
  header: Buffer,
  firstPage: Buffer
): LogHeader | undefined => {
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
        startsSession = frames === 0 && isCommit && differsInVersionOnly(first, firstPage)
      }
    }
    if (isCommit) committed = latest
    frames++
  }
  if (frames === 0) return undefined
  const newest = committed === undefined ? undefined : decode(read(HEADER_BYTES, committed))
  return { oldest: decode(first), startsSession, newest }
}

/** The bytes of the first page that change when only `user_version` is set (fileformat2 §1.3). */
const VERSION_FIELDS: ReadonlyArray<readonly [from: number, to: number]> = [
  [24, 28],
  [60, 64],
  [92, 100]
]

const differsInVersionOnly = (one: Buffer, two: Buffer): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(two)]
  for (const page of [a, b]) for (const [from, to] of VERSION_FIELDS) page.fill(0, from, to)
  return a.equals(b)
}

/** https://www.sqlite.org/fileformat2.html §3 */
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex")

/**
 * Whether there is a hot rollback journal beside a file: a killed process has left it. When SQLite
 * opens the file, it rolls that transaction back. Until then the file may have pages of both
 * states, and its header may have a length that the file never had. When a transaction ends, its
 * journal is deleted or emptied, or its magic number is overwritten.
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

/** Copies a file without its log, over an existing one. This process must not have it open. */
export const copyMainFile = (path: string, copy: string): void => copyFileSync(path, copy)

/** In this order, so that a journal is copied after the pages that it can roll back. */
const COPIED_SUFFIXES = ["-wal", "", "-journal"] as const

/**
 * Copies a file, its log and its journal. Returns the paths of the copies, or undefined while this
 * process has the file open.
 */
export const copyFiles = (path: string, copy: string): ReadonlyArray<string> | undefined => {
  const id: FileId | undefined = fileIdOf(path)
  if (id === undefined || isOpenHere(id)) return undefined
  return COPIED_SUFFIXES.filter((suffix) => existsSync(path + suffix)).map((suffix) => {
    copyFileSync(path + suffix, copy + suffix)
    return copy + suffix
  })
}
