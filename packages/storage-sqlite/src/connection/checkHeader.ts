/**
 * Whether a file is a store of this version or an earlier one, by its first page and that of its
 * log.
 */
import { newerVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { APPLICATION_ID, schemaOf, sessionOf } from "../migrations/version.js"
import { pauseBriefly } from "../pause.js"
import { type FileHeader, type LogPeek, type Peek, peekAt } from "./peek.js"
import { refuse, statOf } from "./refuse.js"

/**
 * Another process may write the file between two looks at it, so what seems cut off is looked at
 * again.
 */
const LOOKS = 20

const wholePeek = (path: string): (Peek & { readonly header: FileHeader }) | undefined => {
  for (let looks = 1; ; looks++) {
    const peek = peekAt(path)
    if (peek === undefined) return undefined
    const { header, size, log } = peek
    if (header === undefined) return refuse("Corrupt", `${path} is not a SQLite file`)
    if (log !== undefined || size >= header.bytes || hasLog(path)) return { ...peek, header }
    if (looks === LOOKS)
      return refuse("Corrupt", `${path} is cut off: it was ${header.bytes} bytes long and has ${size}`)
    pauseBriefly()
  }
}

/**
 * Whether the log has anything in it; then the file itself may be older, shorter, or in the middle
 * of being written.
 */
const hasLog = (path: string): boolean => (statOf(`${path}-wal`)?.size ?? 0) > 0

/**
 * A log that begins with another session than the file is in was written for another file, or for
 * another state of it.
 */
const isForeign = ({ userVersion }: FileHeader, { first, startsSession }: LogPeek): boolean =>
  first !== undefined && !startsSession && sessionOf(first.userVersion) !== sessionOf(userVersion)

/** Whether the log beside a file, which this process has not open, is that of another one. */
export const hasForeignLog = (path: string): boolean => {
  const peek = peekAt(path)
  return peek?.header !== undefined && peek.log !== undefined && isForeign(peek.header, peek.log)
}

/**
 * Refuses what is no store of this version or an earlier one. While this process has the file open
 * it was looked at before: then the connection asks for its schema.
 */
export const checkHeader = (path: string): void => {
  const peek = wholePeek(path)
  if (peek === undefined) return
  const { applicationId, userVersion } = peek.log?.newest ?? peek.header
  if (applicationId !== APPLICATION_ID) {
    refuse("Unavailable", `${path} belongs to another application; name the file of a store`)
  }
  const schema = schemaOf(userVersion)
  if (schema > SCHEMA_VERSION) throw newerVersion(path, schema)
  if (peek.log !== undefined && isForeign(peek.header, peek.log)) {
    refuse(
      "Unavailable",
      `${path}-wal does not belong to ${path}: it is the log of another file or of another state of this one, and replaying it would damage the store. To go back to a backup use petstore restore; to keep ${path} as it is, move ${path}-wal and ${path}-shm out of the way`
    )
  }
}
