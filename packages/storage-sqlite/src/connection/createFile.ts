/**
 * Creates a new file: as a draft under another name first, which is linked to its name once it is
 * complete. So no process ever sees an incomplete file.
 */
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import type { Collection, Row } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Driver } from "../driver/Driver.js"
import { createSchema } from "../migrations/migrate.js"
import { draftName } from "./drafts.js"
import { COMPANIONS } from "./storeLocation.js"
import { sealDraft, writeDraft } from "./writeDraft.js"

/** Only its owner may read a store: it has the digests of keys and all orders. */
const FILE_MODE = 0o600

/**
 * Half of SQLite's default. A commit writes whole pages to the log, and an order changes twelve,
 * each in another B-tree.
 */
export const PAGE_BYTES = 2_048

/** Error codes of file systems that have no hard links. */
export const NO_HARD_LINK_CODES: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS"
])

/** The error code of the system, such as `EEXIST`; empty for other errors. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && "code" in thrown ? String(thrown.code) : ""

/** An empty draft beside `path`; removed when the scope ends. */
export const scopedDraft = (path: string): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => createDraft(path), catch: (thrown) => thrown }),
    (draft) => Effect.sync(() => removeDraft(draft))
  )

const createDraft = (path: string): string => {
  const draft = draftName(path)
  closeSync(openSync(draft, "wx", FILE_MODE))
  chmodSync(draft, FILE_MODE)
  return draft
}

const removeDraft = (draft: string): void => {
  for (const suffix of ["", ...COMPANIONS]) rmSync(draft + suffix, { force: true })
}

/**
 * Gives a complete draft its name, durably. Throws `EEXIST` if there is a file of that name, which
 * is never replaced. If the file system has no hard links, an empty file reserves the name, and the
 * draft replaces it.
 */
export const publishDraft = (driver: Driver, draft: string, path: string): void => {
  sealDraft(driver, draft)
  try {
    linkSync(draft, path)
  } catch (thrown) {
    if (!NO_HARD_LINK_CODES.has(codeOf(thrown))) throw thrown
    closeSync(openSync(path, "wx", FILE_MODE))
    renameSync(draft, path)
  }
  syncFolder(dirname(path))
}

/** Syncs the names in a folder. Windows can't open folders, and needs no such sync. */
export const syncFolder = (folder: string): void => {
  try {
    const descriptor = openSync(folder, "r")
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (thrown) {
    if (process.platform !== "win32") throw thrown
  }
}

/** Creates an empty store. If another process creates the same file at once, the first one wins. */
export const createFile = (
  driver: Driver,
  path: string,
  collections: ReadonlyArray<Collection<Row>>
): void => {
  const draft = createDraft(path)
  try {
    writeDraft(driver, draft, (file) => {
      file.pragma(`page_size = ${PAGE_BYTES}`)
      createSchema(file, collections)
    })
    publishDraft(driver, draft, path)
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown
  } finally {
    removeDraft(draft)
  }
}
