/** What is in the place where a backup is to be restored. */
import { existsSync, statSync } from "node:fs"
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { checkPlace, companionsOf } from "../connection/place.js"
import { destinationOf, realPathOf } from "../connection/fileName.js"
import { hasForeignLog } from "../connection/checkHeader.js"
import { draftOf } from "../connection/createFile.js"
import { alone, inUse } from "../connection/alone.js"
import { connectTo, type FileId, fileIdOf, isOpenHere } from "../connection/OpenFiles.js"
import { copyMainFile, peekAt } from "../connection/peek.js"
import { isOpenElsewhere, userOf } from "../connection/processes.js"
import { APPLICATION_ID, schemaByTables, schemaOf, userVersionOf } from "../migrations/version.js"
import { failedAt } from "./checkDraft.js"
import { undoKilledRestore } from "./undoKilled.js"

/** What can be read of the file that is replaced. */
export type Replaced =
  | { readonly state: "missing" }
  | {
      readonly state: "readable"
      /**
       * A connection to it that keeps others out, or to a copy of it without the log that is not
       * its own.
       */
      readonly file: Connection
      /** By its tables, since `user_version` may have been changed by something else. */
      readonly schema: number
      /** What its `user_version` says. */
      readonly saidSchema: number
      readonly isCopy: boolean
    }
  | { readonly state: "unreadable"; readonly why: string }

const refuse = (detail: string): never => {
  throw new StorageError({ reason: "Unavailable", detail })
}

/**
 * The place, without links, if a store can be restored there. What is no store is never replaced;
 * neither is one that a process has open, as far as the system tells.
 */
export const checkTarget = (filename: string, backup: string): string => {
  const path = realPathOf(filename) ?? destinationOf(filename)
  checkPlace(path)
  undoKilledRestore(path, backup)
  const id = fileIdOf(path)
  if (id === undefined) {
    checkLogIsFree(path)
    return path
  }
  if (!statSync(path).isFile()) refuse(`${path} is no file`)
  if (isOpenHere(id)) throw inUse(path)
  checkNoProcessHas(path, id)
  if (statSync(path).size === 0) return path
  const header = peekAt(path)?.header
  if (header === undefined)
    refuse(
      `${path} is no SQLite file; if it was a store, move it out of the way, and restore again`
    )
  else if (header.applicationId !== APPLICATION_ID) refuse(`${path} belongs to another application`)
  return path
}

/** A process that uses the log of a missing file has that file open under another name. */
const checkLogIsFree = (path: string): void => {
  for (const companion of companionsOf(path)) {
    const user = userOf(companion)
    if (user === undefined) continue
    throw new StorageError({
      reason: "Busy",
      detail:
        `${companion} is in use by process ${user.pid}: ${path} was moved or deleted while ` +
        "that had it open. Stop it first; if the file was moved, move it back before"
    })
  }
}

const checkNoProcessHas = (path: string, id: FileId): void => {
  if (isOpenElsewhere(id)) throw inUse(path)
}

/**
 * To be called right before the file is replaced: what no lock guards may have been opened since
 * `checkTarget`, as long as the copy took. What is locked can't be.
 */
export const checkStillUnused = (path: string, replaced: Replaced): void => {
  if (replaced.state === "readable" && !replaced.isCopy) return
  const id = fileIdOf(path)
  if (id === undefined) checkLogIsFree(path)
  else checkNoProcessHas(path, id)
}

/** Opens what is there, and keeps others out of it until the scope ends. */
export const openReplaced = (
  driver: Driver,
  path: string
): Effect.Effect<Replaced, StorageError, Scope.Scope> =>
  Effect.gen(function* () {
    if (!existsSync(path)) return { state: "missing" } as const
    if (statSync(path).size === 0) return { state: "unreadable", why: "it is empty" } as const
    const isCopy = hasForeignLog(path)
    const opened = yield* Effect.either(
      isCopy ? openedCopy(driver, path) : Effect.map(alone(driver, path), ({ file }) => file)
    )
    if (opened._tag === "Left") {
      if (opened.left.reason === "Busy") return yield* opened.left
      return { state: "unreadable", why: opened.left.detail } as const
    }
    return caughtReading(path, () => {
      const file = opened.right
      const schema = schemaByTables(file)
      return schema === 0
        ? { state: "unreadable", why: "it has none of the tables of a store" }
        : { state: "readable", file, schema, saidSchema: schemaOf(userVersionOf(file)), isCopy }
    })
  })

/** What is damaged where its tables are listed can't be read at all. */
const caughtReading = (path: string, read: () => Replaced): Replaced => {
  try {
    return read()
  } catch (thrown) {
    return { state: "unreadable", why: failedAt(path)(thrown).detail }
  }
}

/** A copy of the file alone: to read it with a log that is not its own would damage it. */
const openedCopy = (driver: Driver, path: string) =>
  Effect.gen(function* () {
    const copy = yield* draftOf(path).pipe(Effect.mapError(failedAt(path)))
    return yield* Effect.map(
      Effect.acquireRelease(
        Effect.try({
          try: () => {
            copyMainFile(path, copy)
            return connectTo(driver, copy)
          },
          catch: failedAt(path)
        }),
        ({ close }) => Effect.sync(close)
      ),
      ({ file }) => file
    )
  })
