/** Puts a backup in the place of a store, and takes over what must not be forgotten. */
import { StorageError } from "@petstore/core"
import type { Connection, Driver } from "../driver/Driver.js"
import * as Effect from "effect/Effect"
import { chosenDriver, type DriverOption } from "../connection/chosenDriver.js"
import { noteAbout } from "../status/aboutTable.js"
import { draftOf } from "../connection/createFile.js"
import { removeLeftDrafts } from "../connection/drafts.js"
import { fileIdOf } from "../connection/OpenFiles.js"
import { openToLook } from "../connection/openToLook.js"
import { withoutLog } from "../connection/writeDraft.js"
import { SCHEMA_VERSION } from "../migrations/migrate.js"
import { caught } from "../base/pause.js"
import { wallClockMs } from "../base/timers.js"
import { separate } from "./copyTo.js"
import type { CarriedOver, NotCarriedOver } from "../shop/CarriedOver.js"
import { carryOver } from "../shop/carryOver.js"
import { checkDraft, failedAt } from "./checkDraft.js"
import type { CopyProgress } from "./CopyProgress.js"
import { copyPages } from "./copyPages.js"
import { checkTarget, openReplaced, type Replaced } from "./Replaced.js"
import { type Moved, replace } from "./replace.js"

/** Which copy to restore, and where. */
export type RestoreOptions = DriverOption & {
  /** The copy, as `backup` made it. It stays as it is. */
  readonly backup: string
  /** The store that it replaces, if there is one. */
  readonly filename: string
  /** Told how far the copy is, each time a thousand pages are copied. */
  readonly onProgress?: (progress: CopyProgress) => void
  /** Told of each check of the copy before it begins. */
  readonly onCheck?: (check: string) => void
}

/** What was done. */
export type Restored = {
  /** The file, without links. */
  readonly file: string
  /** Its schema, that of the copy. */
  readonly schema: number
  /**
   * Whether that is an earlier one, which has to be brought up to date by `upgrade` before it can
   * be used.
   */
  readonly needsUpgrade: boolean
  /** How many webhooks it has, whose secrets are made from one that no backup has. */
  readonly webhooks: number
  /** What was there before, and where it is now. */
  readonly moved: Moved
  readonly carried: CarriedOver
  /** What of the replaced store is not in the restored one, a sentence each. */
  readonly notCarried: NotCarriedOver
  /**
   * Whether what was there before can be restored in turn: it could be read, and nothing that was
   * looked at is damaged.
   */
  readonly canGoBack: boolean
}

const NOTHING_CARRIED: CarriedOver = { ids: 0, revisions: 0, keys: 0, webhooks: 0, callers: 0 }

/**
 * Puts a copy of a backup in the place of a store. It is looked through first, as `verify` does:
 * where anything is found, nothing is changed. Fails as `Busy` while anybody has the store open.
 *
 * What was there is kept beside it under a dated name. The restored store has the records of the
 * backup and a feed with an epoch of its own, so that those who follow it load anew. Where the
 * replaced store can be read, the next ids and revisions come after those that it gave, and what
 * was revoked, banned and counted in it stays so.
 */
export const restore = (options: RestoreOptions): Effect.Effect<Restored, StorageError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { onProgress, onCheck = () => undefined } = options
      const path = yield* Effect.suspend(() =>
        caught(() => checkTarget(options.filename, options.backup))
      )
      if (fileIdOf(path) !== undefined && fileIdOf(options.backup) === fileIdOf(path)) {
        yield* new StorageError({
          reason: "Unavailable",
          detail: `${options.backup} is ${path} itself`
        })
      }
      removeLeftDrafts(path)
      const driver = yield* chosenDriver(options)
      const { file, schema } = yield* openToLook(options.backup, { driver, anySchema: true })
      const draft = yield* draftOf(path).pipe(Effect.mapError(failedAt(path)))
      yield* Effect.tryPromise({
        try: () => copyPages(file, draft, onProgress),
        catch: failedAt(path)
      })
      yield* Effect.try({
        try: () => separateRestored(driver, draft, schema),
        catch: failedAt(path)
      })
      yield* checkDraft(driver, draft, onCheck)
      const webhooks = file.values<number>("SELECT count(*) FROM webhooks").get() ?? 0
      const replaced = yield* openReplaced(driver, path)
      const taken = yield* Effect.try({
        try: () => takeOver(draft, path, schema, replaced),
        catch: failedAt(path)
      })
      if (replaced.state === "readable") yield* checkDraft(driver, draft, onCheck)
      const moved = yield* Effect.try({
        try: () => replace(driver, draft, path, replaced),
        catch: failedAt(path)
      })
      return {
        file: path,
        schema,
        needsUpgrade: schema < SCHEMA_VERSION,
        webhooks,
        moved,
        ...taken
      }
    })
  )

type Taken = Pick<Restored, "carried" | "notCarried" | "canGoBack">

/** Makes the draft a store of its own. */
const separateRestored = (driver: Driver, draft: string, schema: number): void =>
  separate(driver, draft, (file) => {
    if (schema === SCHEMA_VERSION) noteAbout(file, "restoredMs", wallClockMs())
  })

/** Takes over what the replaced store tells. */
const takeOver = (draft: string, path: string, schema: number, replaced: Replaced): Taken => {
  const nothing = { carried: NOTHING_CARRIED, notCarried: [], canGoBack: false }
  if (replaced.state === "missing") return nothing
  if (replaced.state === "unreadable") {
    const why =
      `anything of the file that was there, which can't be read: ${replaced.why}. Ids that it ` +
      "gave may be given again, keys that were revoked since the backup work again, and " +
      "webhooks are as they were: look through petstore keys list and petstore webhooks list"
    return { ...nothing, notCarried: [why] }
  }
  const { file, schema: found, saidSchema, isCopy } = replaced
  const { carried, notCarried, isComplete } = attached(file, draft, () =>
    carryOver(file, { replaced: found, restored: schema })
  )
  return {
    carried,
    notCarried: [...doubtsOf(path, replaced), ...notCarried],
    canGoBack: isComplete && !isCopy && saidSchema === found
  }
}

/** Why there may be more in the replaced store than could be read. */
const doubtsOf = (
  path: string,
  { schema, saidSchema, isCopy }: Extract<Replaced, { readonly state: "readable" }>
): NotCarriedOver => {
  const doubts: Array<string> = []
  if (saidSchema !== schema)
    doubts.push(
      `what a store of schema ${saidSchema} has besides: the file says that its schema is ` +
        `${saidSchema}, has the tables of schema ${schema}, and was read as one of that`
    )
  if (isCopy)
    doubts.push(
      `anything in ${path}-wal, which is the log of another file or of another state of this ` +
        "one: keys that were revoked in it work again. Look through petstore keys list and " +
        "petstore webhooks list"
    )
  return doubts
}

const attached = <A>(file: Connection, draft: string, use: () => A): A => {
  file.command("ATTACH ? AS restored").run(draft)
  try {
    // Else it inherits the lock of the replaced file, with which SQLite keeps a journal.
    file.pragma("restored.locking_mode = NORMAL")
    withoutLog(file, "restored")
    return use()
  } finally {
    file.exec("DETACH restored")
  }
}
