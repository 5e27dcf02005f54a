/**
 * Makes a new file: under another name first, and linked into place when it is whole, so that
 * nobody ever meets half of one.
 */
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import type { Collection, Row } from "@petstore/core/storage"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Driver } from "../driver/Driver.js"
import { createSchema } from "../migrations/migrate.js"
import { draftName } from "./drafts.js"
import { COMPANIONS } from "./place.js"
import { sealDraft, writeDraft } from "./writeDraft.js"

/** Only its owner may read a store: it holds digests of keys and everything that was ordered. */
const MODE = 0o600

/**
 * Half of SQLite's default. A commit writes whole pages to the log, and an order touches twelve,
 * each in a tree of its own.
 */
export const PAGE_BYTES = 2_048

/** Error codes of file systems that have no hard links. */
export const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])

/** The system's word for what went wrong; empty where it has none. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && "code" in thrown ? String(thrown.code) : ""

/** An empty file beside `path` for what shall become it; gone with the scope. */
export const draftOf = (path: string): Effect.Effect<string, unknown, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => beginDraft(path), catch: (thrown) => thrown }),
    (draft) => Effect.sync(() => endDraft(draft))
  )

const beginDraft = (path: string): string => {
  const draft = draftName(path)
  closeSync(openSync(draft, "wx", MODE))
  chmodSync(draft, MODE)
  return draft
}

const endDraft = (draft: string): void => {
  for (const suffix of ["", ...COMPANIONS]) rmSync(draft + suffix, { force: true })
}

/**
 * Gives a whole draft its name, durably. Throws `EEXIST` if there is a file of that name: nothing
 * is ever replaced. Without links an empty file takes the name first, which the draft then
 * replaces.
 */
export const putInPlace = (driver: Driver, draft: string, path: string): void => {
  sealDraft(driver, draft)
  try {
    linkSync(draft, path)
  } catch (thrown) {
    if (!NO_LINKS.has(codeOf(thrown))) throw thrown
    closeSync(openSync(path, "wx", MODE))
    renameSync(draft, path)
  }
  syncFolder(dirname(path))
}

/**
 * Makes the names in a folder durable. Where folders can't be opened (Windows), they need no sync.
 */
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

/**
 * Makes an empty store. Where another process makes the same file at once, the first one's stays.
 */
export const createFile = (
  driver: Driver,
  path: string,
  collections: ReadonlyArray<Collection<Row>>
): void => {
  const draft = beginDraft(path)
  try {
    writeDraft(driver, draft, (file) => {
      file.pragma(`page_size = ${PAGE_BYTES}`)
      createSchema(file, collections)
    })
    putInPlace(driver, draft, path)
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown
  } finally {
    endDraft(draft)
  }
}
