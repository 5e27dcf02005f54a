/** What the first page of a SQLite file says, read without SQLite, which would change files merely by opening them. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs"

export type FileHeader = {
  readonly applicationId: number
  readonly schemaVersion: number
  /** How long the file is according to its header, in bytes. */
  readonly bytes: number
}

/** https://www.sqlite.org/fileformat2.html §1.3 */
const HEADER_BYTES = 100
const MAGIC = "SQLite format 3\u0000"

/** https://www.sqlite.org/fileformat2.html §4.1 */
export const LOG_HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24

const withFile = <A>(
  path: string,
  use: (read: (bytes: number, from: number) => Buffer, size: () => number) => A
): A => {
  const file = openSync(path, "r")
  try {
    const read = (bytes: number, from: number) => {
      const into = Buffer.alloc(bytes)
      return into.subarray(0, readSync(file, into, 0, bytes, from))
    }
    return use(read, () => fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

const decode = (page: Buffer): FileHeader | undefined => {
  if (page.length < HEADER_BYTES || page.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined
  const pageBytes = page.readUInt16BE(16)
  return {
    applicationId: page.readUInt32BE(68),
    schemaVersion: page.readUInt32BE(60),
    bytes: page.readUInt32BE(28) * (pageBytes === 1 ? 65_536 : pageBytes)
  }
}

/** The header of the file, and the file's size; undefined where it is no SQLite file. */
export const fileHeader = (
  path: string
): { readonly header: FileHeader | undefined; readonly size: number } =>
  withFile(path, (read, size) => ({ header: decode(read(HEADER_BYTES, 0)), size: size() }))

/**
 * The header in the last commit of a write-ahead log that has one: it is newer than the file's. Frames are told from
 * leftovers by their salt; their checksums are left to SQLite.
 */
export const logHeader = (path: string): FileHeader | undefined =>
  withFile(path, (read, size) => {
    const log = read(LOG_HEADER_BYTES, 0)
    if (log.length < LOG_HEADER_BYTES) return undefined
    const pageBytes = log.readUInt32BE(8)
    const salt = log.subarray(16, 24)
    const end = size()
    let first: number | undefined
    let committed: number | undefined
    for (
      let at = LOG_HEADER_BYTES;
      at + FRAME_HEADER_BYTES + pageBytes <= end;
      at += FRAME_HEADER_BYTES + pageBytes
    ) {
      const frame = read(FRAME_HEADER_BYTES, at)
      if (!frame.subarray(8, 16).equals(salt)) break
      if (frame.readUInt32BE(0) === 1) first = at + FRAME_HEADER_BYTES
      if (frame.readUInt32BE(4) !== 0) committed = first
    }
    return committed === undefined ? undefined : decode(read(HEADER_BYTES, committed))
  })
