/** The file that a restore replaces. */
import { existsSync, statSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { checkLocation, companionsOf } from "../connection/storeLocation.js"
import { newPathOf, existingPathOf } from "../connection/fileName.js"
import { hasForeignLog } from "../connection/checkHeader.js"
import { scopedDraft } from "../connection/createFile.js"
import { exclusiveConnection, inUseFailure } from "../connection/exclusiveConnection.js"
import { connectTo, type FileId, fileIdOf, isOpenHere } from "../connection/OpenFiles.js"
import { copyMainFile, readFileHeaders } from "../connection/readFileHeaders.js"
import { isOpenElsewhere, processUsing } from "../connection/processes.js"
import { APPLICATION_ID, schemaByTables, schemaOf, userVersionOf } from "../migrations/version.js"
import { creationFailure } from "./checkDraft.js"
import { undoInterruptedRestore } from "./undoInterruptedRestore.js"

/** The state of that file. */
export type ReplacedFile =
  | { readonly state: "missing" }
  | {
      readonly state: "readable"
      /**
       * An exclusive connection to it. If its log belongs to another file, a connection to a copy
       * without the log.
       */
      readonly file: Connection
      /** By its tables, since another program may have changed `user_version`. */
      readonly schema: number
      /** By its `user_version`. */
      readonly declaredSchema: number
      readonly isCopy: boolean
    }
  | { readonly state: "unreadable"; readonly reason: string }

const fail = (detail: string): never => {
  throw new StorageError({ reason: "Unavailable", detail })
}

/**
 * The path of the file to restore, without symbolic links. Throws if there is a file that is no
 * store, or that a process has open as far as the system tells.
 */
export const checkTarget = (filename: string, backup: string): string => {
  const path = existingPathOf(filename) ?? newPathOf(filename)
  checkLocation(path)
  undoInterruptedRestore(path, backup)
  const id = fileIdOf(path)
  if (id === undefined) {
    checkLogNotInUse(path)
    return path
  }
  if (!statSync(path).isFile()) fail(`${path} is no file`)
  if (isOpenHere(id)) throw inUseFailure(path)
  checkNotOpenElsewhere(path, id)
  if (statSync(path).size === 0) return path
  const header = readFileHeaders(path)?.header
  if (header === undefined)
    fail(`${path} is no SQLite file; if it was a store, move it out of the way, and restore again`)
  else if (header.applicationId !== APPLICATION_ID) fail(`${path} belongs to another application`)
  return path
}

/** Throws `Busy` if a process uses the log of a missing file: it has that file open elsewhere. */
const checkLogNotInUse = (path: string): void => {
  for (const companion of companionsOf(path)) {
    const owner = processUsing(companion)
    if (owner === undefined) continue
    throw new StorageError({
      reason: "Busy",
      detail:
        `${companion} is in use by process ${owner.pid}: ${path} was moved or deleted while ` +
        "that had it open. Stop it first; if the file was moved, move it back before"
    })
  }
}

const checkNotOpenElsewhere = (path: string, id: FileId): void => {
  if (isOpenElsewhere(id)) throw inUseFailure(path)
}

/**
 * To be called right before the file is replaced. Unless the file is locked, a process may have
 * opened it since `checkTarget`, while the backup was copied.
 */
export const checkStillNotOpen = (path: string, replaced: ReplacedFile): void => {
  if (replaced.state === "readable" && !replaced.isCopy) return
  const id = fileIdOf(path)
  if (id === undefined) checkLogNotInUse(path)
  else checkNotOpenElsewhere(path, id)
}

/** Opens the file, and locks it until the scope ends. */
export const openReplaced = (
  driver: Driver,
  path: string
): Effect.Effect<ReplacedFile, StorageError, Scope.Scope> =>
  Effect.gen(function* () {
    if (!existsSync(path)) return { state: "missing" } as const
    if (statSync(path).size === 0) return { state: "unreadable", reason: "it is empty" } as const
    const isCopy = hasForeignLog(path)
    const opened = yield* Effect.either(
      isCopy
        ? openCopy(driver, path)
        : Effect.map(exclusiveConnection(driver, path), ({ file }) => file)
    )
    if (opened._tag === "Left") {
      if (opened.left.reason === "Busy") return yield* opened.left
      return { state: "unreadable", reason: opened.left.detail } as const
    }
    return orUnreadable(path, () => {
      const file = opened.right
      const schema = schemaByTables(file)
      return schema === 0
        ? { state: "unreadable", reason: "it has none of the tables of a store" }
        : { state: "readable", file, schema, declaredSchema: schemaOf(userVersionOf(file)), isCopy }
    })
  })

/** A file whose list of tables is damaged counts as unreadable. */
const orUnreadable = (path: string, read: () => ReplacedFile): ReplacedFile => {
  try {
    return read()
  } catch (thrown) {
    return { state: "unreadable", reason: creationFailure(path)(thrown).detail }
  }
}

/** Opens a copy of the file without its log, since the log of another file would damage it. */
const openCopy = (driver: Driver, path: string) =>
  Effect.gen(function* () {
    const copy = yield* scopedDraft(path).pipe(Effect.mapError(creationFailure(path)))
    return yield* Effect.map(
      Effect.acquireRelease(
        Effect.try({
          try: () => {
            copyMainFile(path, copy)
            return connectTo(driver, copy)
          },
          catch: creationFailure(path)
        }),
        ({ close }) => Effect.sync(close)
      ),
      ({ file }) => file
    )
  })
