/** Looks a whole file through on a connection that is open. */
import { fold } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import { failureOf } from "../base/sqliteFailure.js"
import type { Check, Finding } from "./Finding.js"

/** So many findings of one check are listed; a damaged store may have millions. */
const MAX_FINDINGS = 20

type Broken = readonly [table: string, rowid: number, parent: string]

const integrity = (file: Connection): ReadonlyArray<string> => {
  const rows = file.values<string>(`PRAGMA integrity_check(${MAX_FINDINGS})`).all()
  return rows.filter((row) => row !== "ok")
}

const references = (file: Connection): ReadonlyArray<string> =>
  file
    .rows<Broken>(
      `SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT ${MAX_FINDINGS}`
    )
    .all()
    .map(
      ([table, rowid, parent]) =>
        `${table} ${rowid}: refers to one of ${parent} that does not exist`
    )

/** Every check in turn: those of the file, then the given ones. */
export const inspections = (
  file: Connection,
  checks: ReadonlyArray<Check>
): ReadonlyArray<{ readonly name: string; readonly run: () => ReadonlyArray<Finding> }> => {
  file.define("fold", (name) => fold(String(name)))
  const named = (name: string, look: () => ReadonlyArray<string>) => ({
    name,
    run: (): ReadonlyArray<Finding> => readable(look).map((detail) => ({ check: name, detail }))
  })
  return [
    named("file", () => integrity(file)),
    named("references", () => references(file)),
    ...checks.map(({ name, sql }) =>
      named(name, () => file.values<string>(`SELECT * FROM (${sql}) LIMIT ${MAX_FINDINGS}`).all())
    )
  ]
}

/** Damage may keep a check from reading on: that is a finding too. */
const readable = (look: () => ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return look()
  } catch (thrown) {
    const failure = failureOf(thrown, "read")
    if (failure?.reason !== "Corrupt") throw thrown
    return [failure.detail]
  }
}
