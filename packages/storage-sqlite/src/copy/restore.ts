/** Replaces a store by a backup, and carries over last ids, revisions, revocations and bans. */
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { chosenDriver, type DriverOption } from "../connection/chosenDriver.js"
import { noteAbout } from "../status/aboutTable.js"
import { scopedDraft } from "../connection/createFile.js"
import { removeAbandonedDrafts } from "../connection/drafts.js"
import { fileIdOf } from "../connection/OpenFiles.js"
import { openReadOnly } from "../connection/openReadOnly.js"
import { withoutLog } from "../connection/writeDraft.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { catchStorageError } from "../base/retryWhileBusy.js"
import { wallClockMs } from "../base/timers.js"
import { makeIndependent } from "./copyTo.js"
import type { CarriedOver, NotCarriedOver } from "../shop/CarriedOver.js"
import { carryOver } from "../shop/carryOver.js"
import { checkDraft, creationFailure } from "./checkDraft.js"
import type { CopyProgress } from "./CopyProgress.js"
import { copyPages } from "./copyPages.js"
import { checkTarget, openReplaced, type ReplacedFile } from "./ReplacedFile.js"
import { type MovedFiles, replace } from "./replace.js"

/** Which copy to restore, and where. */
export type RestoreOptions = DriverOption & {
  /** The backup, as the function `backup` made it. It is not changed. */
  readonly backup: string
  /** The store to replace, or the name of a new one. */
  readonly filename: string
  /** Told how far the copy is, each time a thousand pages are copied. */
  readonly onProgress?: (progress: CopyProgress) => void
  /** Told of each check of the copy before it begins. */
  readonly onCheck?: (check: string) => void
}

/** The result of a restore. */
export type Restored = {
  /** The path of the file, without symbolic links. */
  readonly file: string
  /** Its schema, which is that of the backup. */
  readonly schema: number
  /** Whether the schema is an earlier one, so that the file needs `upgrade` before use. */
  readonly needsUpgrade: boolean
  /** How many webhooks it has. Their secrets derive from a root secret that no backup has. */
  readonly webhooks: number
  /** The files that were there before, with their new names. */
  readonly moved: MovedFiles
  readonly carried: CarriedOver
  /** What the restored store lacks of the replaced one, one sentence each. */
  readonly notCarried: NotCarriedOver
  /**
   * Whether the replaced file can be restored in turn: it could be read, and no damage was found.
   */
  readonly canGoBack: boolean
}

const NO_COUNTS: CarriedOver = { ids: 0, revisions: 0, keys: 0, webhooks: 0, callers: 0 }

/**
 * Replaces a store by a copy of a backup. The copy is checked first, as by `verify`; if it has a
 * fault, nothing is changed. Fails as `Busy` while any connection has the store open.
 *
 * The replaced file stays in the folder under a dated name. The restored store has the records of
 * the backup, and a feed with a new epoch, so that readers of the feed load everything again. If
 * the replaced store can be read, new ids and revisions continue after those that it assigned, and
 * its revocations, bans and counts are carried over.
 */
export const restore = (options: RestoreOptions): Effect.Effect<Restored, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { onProgress, onCheck = () => undefined } = options
      const path = yield* Effect.suspend(() =>
        catchStorageError(() => checkTarget(options.filename, options.backup))
      )
      if (fileIdOf(path) !== undefined && fileIdOf(options.backup) === fileIdOf(path)) {
        yield* new StorageError({
          reason: "Unavailable",
          detail: `${options.backup} is ${path} itself`
        })
      }
      removeAbandonedDrafts(path)
      const driver = yield* chosenDriver(options)
      const { file, schema } = yield* openReadOnly(options.backup, { driver, anySchema: true })
      const draft = yield* scopedDraft(path).pipe(Effect.mapError(creationFailure(path)))
      yield* Effect.tryPromise({
        try: () => copyPages(file, draft, onProgress),
        catch: creationFailure(path)
      })
      yield* Effect.try({
        try: () => separateRestored(driver, draft, schema),
        catch: creationFailure(path)
      })
      yield* checkDraft(driver, draft, onCheck)
      const webhooks = file.values<number>("SELECT count(*) FROM webhooks").get() ?? 0
      const replaced = yield* openReplaced(driver, path)
      const carryResult = yield* Effect.try({
        try: () => carryInto(draft, path, schema, replaced),
        catch: creationFailure(path)
      })
      if (replaced.state === "readable") yield* checkDraft(driver, draft, onCheck)
      const moved = yield* Effect.try({
        try: () => replace(driver, draft, path, replaced),
        catch: creationFailure(path)
      })
      return {
        file: path,
        schema,
        needsUpgrade: schema < SCHEMA_VERSION,
        webhooks,
        moved,
        ...carryResult
      }
    })
  )

type CarryResult = Pick<Restored, "carried" | "notCarried" | "canGoBack">

/** Makes the draft independent of the store that it was copied from. */
const separateRestored = (driver: Driver, draft: string, schema: number): void =>
  makeIndependent(driver, draft, (file) => {
    if (schema === SCHEMA_VERSION) noteAbout(file, "restoredMs", wallClockMs())
  })

/** Carries state of the replaced store over into the draft. */
const carryInto = (
  draft: string,
  path: string,
  schema: number,
  replaced: ReplacedFile
): CarryResult => {
  const nothing = { carried: NO_COUNTS, notCarried: [], canGoBack: false }
  if (replaced.state === "missing") return nothing
  if (replaced.state === "unreadable") {
    const sentence =
      `anything of the replaced file, which can't be read: ${replaced.reason}. Ids that it ` +
      "assigned may be assigned again, keys that were revoked since the backup work again, and " +
      "webhooks are as in the backup: check petstore keys list and petstore webhooks list"
    return { ...nothing, notCarried: [sentence] }
  }
  const { file, schema: replacedSchema, declaredSchema, isCopy } = replaced
  const { carried, notCarried, isComplete } = withAttached(file, draft, () =>
    carryOver(file, { replaced: replacedSchema, restored: schema })
  )
  return {
    carried,
    notCarried: [...unreadPartsOf(path, replaced), ...notCarried],
    canGoBack: isComplete && !isCopy && declaredSchema === replacedSchema
  }
}

/** The parts of the replaced store that may exist but were not read. */
const unreadPartsOf = (
  path: string,
  { schema, declaredSchema, isCopy }: Extract<ReplacedFile, { readonly state: "readable" }>
): NotCarriedOver => {
  const parts: Array<string> = []
  if (declaredSchema !== schema)
    parts.push(
      `data that only schema ${declaredSchema} has: the file declares schema ` +
        `${declaredSchema}, but has the tables of schema ${schema}, and was read as such`
    )
  if (isCopy)
    parts.push(
      `anything in ${path}-wal, which is the log of another file or of another state of this ` +
        "one: keys that were revoked in it work again. Look through petstore keys list and " +
        "petstore webhooks list"
    )
  return parts
}

const withAttached = <A>(file: Connection, draft: string, use: () => A): A => {
  file.command("ATTACH ? AS restored").run(draft)
  try {
    // Otherwise it inherits the exclusive mode of the replaced file, and SQLite keeps a journal.
    file.pragma("restored.locking_mode = NORMAL")
    withoutLog(file, "restored")
    return use()
  } finally {
    file.exec("DETACH restored")
  }
}
