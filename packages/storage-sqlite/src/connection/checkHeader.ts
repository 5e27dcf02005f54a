/**
 * Checks that a file is a store of this version or an earlier one, by its first page and that of
 * its log.
 */
import { StorageError, type StorageErrorReason } from "@petstore/core"
import { newerVersion, SCHEMA_VERSION } from "../migrations/migrate.js"
import { APPLICATION_ID, schemaOf, sessionOf } from "../migrations/version.js"
import { blockBriefly } from "../base/retryWhileBusy.js"
import { hasLog } from "./LogFiles.js"
import {
  type FileHeader,
  hasJournal,
  type LogHeader,
  type FileHeaders,
  readFileHeaders
} from "./readFileHeaders.js"
import { processUsing } from "./processes.js"
import { fail } from "./fail.js"

/**
 * How often the headers are read if something seems wrong. Another process may write the file, or
 * begin a session, between the reads of the file and of its log.
 */
const MAX_READS = 20

type ValidHeaders = FileHeaders & { readonly header: FileHeader }

/**
 * The headers, or a function that makes the failure; undefined while this process has the file
 * open.
 */
const readHeaders = (path: string): ValidHeaders | (() => StorageError) | undefined => {
  const headers = readFileHeaders(path)
  if (headers === undefined) return undefined
  const { header, size, log, isConsistent } = headers
  if (header === undefined) return () => failure("Corrupt", `${path} is not a SQLite file`)
  // A file with a log, or a journal, may be older, shorter, or in the middle of being written.
  if (log === undefined && size < header.fileBytes && !hasLog(path) && !hasJournal(path)) {
    return () =>
      failure("Corrupt", `${path} is truncated: it had ${header.fileBytes} bytes and has ${size}`)
  }
  if (log !== undefined && isForeignLog(header, log)) {
    return () =>
      isConsistent
        ? foreignLogFailure(path)
        : failure("Busy", `${path} is being opened by another process`)
  }
  return { ...headers, header }
}

const validHeaders = (path: string): ValidHeaders | undefined => {
  for (let reads = 1; ; reads++) {
    const result = readHeaders(path)
    if (typeof result !== "function") return result
    if (reads === MAX_READS) throw result()
    blockBriefly()
  }
}

const failure = (reason: StorageErrorReason, detail: string): StorageError =>
  new StorageError({ reason, detail })

/**
 * Whether the log was written for another file, or for another state of this one: it begins with
 * another session than that of the file.
 */
const isForeignLog = (
  { applicationId, userVersion }: FileHeader,
  { oldest: first, startsSession }: LogHeader
): boolean =>
  applicationId === APPLICATION_ID &&
  first !== undefined &&
  !startsSession &&
  sessionOf(first.userVersion) !== sessionOf(userVersion)

/** Whether the log beside a file belongs to another one; false while this process has it open. */
export const hasForeignLog = (path: string): boolean => {
  const headers = readFileHeaders(path)
  return (
    headers?.header !== undefined &&
    headers.log !== undefined &&
    isForeignLog(headers.header, headers.log)
  )
}

/** The advice depends on whether a process uses the log, which then must not be moved. */
const foreignLogFailure = (path: string): StorageError => {
  const owner = processUsing(path)
  const advice =
    owner === undefined
      ? `To go back to a backup use petstore restore; to keep ${path} as it is, move ` +
        `${path}-wal and ${path}-shm out of the way`
      : `Process ${owner.pid} has the file open: stop it first, and look again`
  return failure(
    "Unavailable",
    `${path}-wal does not belong to ${path}: it is the log of another file or of another ` +
      `state of this one, and replaying it would damage the store. ${advice}`
  )
}

/**
 * Throws if the file is no store of this version or an earlier one. While this process has the file
 * open, it was checked before, and the new connection reads the schema by itself.
 */
export const checkHeader = (path: string): void => {
  const headers = validHeaders(path)
  if (headers === undefined) return
  const { applicationId, userVersion } = headers.log?.newest ?? headers.header
  if (applicationId !== APPLICATION_ID) {
    fail("Unavailable", `${path} belongs to another application; name the file of a store`)
  }
  const schema = schemaOf(userVersion)
  if (schema > SCHEMA_VERSION) throw newerVersion(path, schema)
}

/**
 * The schema of a file that may need an upgrade; undefined if it needs none, or if this process has
 * it open. Reads the header without SQLite, which might checkpoint the log. If there is a journal,
 * the first page may be of a transaction that SQLite rolls back.
 */
export const olderSchemaAt = (path: string): number | undefined => {
  const headers = readFileHeaders(path)
  const header = headers?.log?.newest ?? headers?.header
  if (header === undefined) return undefined
  const schema = schemaOf(header.userVersion)
  return schema < SCHEMA_VERSION || hasJournal(path) ? schema : undefined
}
