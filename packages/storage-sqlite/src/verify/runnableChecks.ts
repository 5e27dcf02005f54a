/** All checks of an open file as functions. */
import { fold } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { failureOf } from "../base/sqliteFailure.js"
import type { Check, Finding } from "./Finding.js"

/** The most findings of one check; a damaged store may have millions. */
const MAX_FINDINGS = 20

type BrokenReference = readonly [table: string, rowid: number, parent: string]

const integrity = (file: Connection): ReadonlyArray<string> => {
  const rows = file.values<string>(`PRAGMA integrity_check(${MAX_FINDINGS})`).all()
  return rows.filter((row) => row !== "ok")
}

const references = (file: Connection): ReadonlyArray<string> =>
  file
    .rows<BrokenReference>(
      `SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT ${MAX_FINDINGS}`
    )
    .all()
    .map(
      ([table, rowid, parent]) =>
        `${table} ${rowid}: refers to one of ${parent} that does not exist`
    )

/** All checks in order: SQLite's own checks of the file, then the given ones. */
export const runnableChecks = (
  file: Connection,
  checks: ReadonlyArray<Check>
): ReadonlyArray<{ readonly name: string; readonly run: () => ReadonlyArray<Finding> }> => {
  file.define("fold", (name) => fold(String(name)))
  const runnableCheck = (name: string, query: () => ReadonlyArray<string>) => ({
    name,
    run: (): ReadonlyArray<Finding> => orDamage(query).map((detail) => ({ check: name, detail }))
  })
  return [
    runnableCheck("file", () => integrity(file)),
    runnableCheck("references", () => references(file)),
    ...checks.map(({ name, sql }) =>
      runnableCheck(name, () =>
        file.values<string>(`SELECT * FROM (${sql}) LIMIT ${MAX_FINDINGS}`).all()
      )
    )
  ]
}

/** If damage aborts the query, that is the finding. */
const orDamage = (query: () => ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return query()
  } catch (thrown) {
    const failure = failureOf(thrown, "read")
    if (failure?.reason !== "Corrupt") throw thrown
    return [failure.detail]
  }
}
