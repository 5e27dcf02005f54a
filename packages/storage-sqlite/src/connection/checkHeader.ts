/**
 * Whether a file is a store of this version or an earlier one, by its first page and that of its
 * log.
 */
import { StorageError, type StorageErrorReason } from "@petstore/core"
import { newerVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { APPLICATION_ID, schemaOf, sessionOf } from "../migrations/version.js"
import { pauseBriefly } from "../base/pause.js"
import { hasLog } from "./log.js"
import { type FileHeader, hasJournal, type LogPeek, type Peek, peekAt } from "./peek.js"
import { userOf } from "./processes.js"
import { refuse } from "./refuse.js"

/**
 * Another process may write the file, or begin a session, between the looks at it and at its log,
 * so what seems wrong is looked at again.
 */
const LOOKS = 20

type WholePeek = Peek & { readonly header: FileHeader }

/**
 * What a look found, or how to say what is wrong; undefined while this process has the file open.
 */
const look = (path: string): WholePeek | (() => StorageError) | undefined => {
  const peek = peekAt(path)
  if (peek === undefined) return undefined
  const { header, size, log, isSteady } = peek
  if (header === undefined) return () => failure("Corrupt", `${path} is not a SQLite file`)
  // A file with a log, or a journal, may be older, shorter, or in the middle of being written.
  if (log === undefined && size < header.bytes && !hasLog(path) && !hasJournal(path)) {
    return () =>
      failure("Corrupt", `${path} is cut off: it was ${header.bytes} bytes long and has ${size}`)
  }
  if (log !== undefined && isForeign(header, log)) {
    return () =>
      isSteady ? foreignLog(path) : failure("Busy", `${path} is being opened by another process`)
  }
  return { ...peek, header }
}

const wholePeek = (path: string): WholePeek | undefined => {
  for (let looks = 1; ; looks++) {
    const found = look(path)
    if (typeof found !== "function") return found
    if (looks === LOOKS) throw found()
    pauseBriefly()
  }
}

const failure = (reason: StorageErrorReason, detail: string): StorageError =>
  new StorageError({ reason, detail })

/**
 * A log that begins with another session than the file is in was written for another file, or for
 * another state of it.
 */
const isForeign = (
  { applicationId, userVersion }: FileHeader,
  { first, startsSession }: LogPeek
): boolean =>
  applicationId === APPLICATION_ID &&
  first !== undefined &&
  !startsSession &&
  sessionOf(first.userVersion) !== sessionOf(userVersion)

/** Whether the log beside a file, which this process has not open, is that of another one. */
export const hasForeignLog = (path: string): boolean => {
  const peek = peekAt(path)
  return peek?.header !== undefined && peek.log !== undefined && isForeign(peek.header, peek.log)
}

/** Replaying it would damage the file. A log that is in use must not be moved away. */
const foreignLog = (path: string): StorageError => {
  const user = userOf(path)
  const advice =
    user === undefined
      ? `To go back to a backup use petstore restore; to keep ${path} as it is, move ` +
        `${path}-wal and ${path}-shm out of the way`
      : `Process ${user.pid} has the file open: stop it first, and look again`
  return failure(
    "Unavailable",
    `${path}-wal does not belong to ${path}: it is the log of another file or of another ` +
      `state of this one, and replaying it would damage the store. ${advice}`
  )
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
}

/**
 * The schema of a file that may have to be brought up to date, told without SQLite, which might
 * write its log into it; undefined for one that is up to date, or that this process has open. With
 * a journal the first page may be of a state that SQLite takes back.
 */
export const olderSchemaAt = (path: string): number | undefined => {
  const peek = peekAt(path)
  const told = peek?.log?.newest ?? peek?.header
  if (told === undefined) return undefined
  const schema = schemaOf(told.userVersion)
  return schema < SCHEMA_VERSION || hasJournal(path) ? schema : undefined
}
