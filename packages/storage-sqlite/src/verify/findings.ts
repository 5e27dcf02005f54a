/** Looks a whole file through on a connection that is open. */
import { fold } from "@petstore/core/storage"
import type { Database } from "better-sqlite3"
import { failureOf } from "../base/sqliteFailure.js"
import type { Check, Finding } from "./Finding.js"

/** So many findings of one check are listed; a damaged store may have millions. */
const MAX_FINDINGS = 20

type Broken = { readonly table: string; readonly rowid: number; readonly parent: string }

const integrity = (file: Database): ReadonlyArray<string> => {
  const rows = file.prepare<[], string>(`PRAGMA integrity_check(${MAX_FINDINGS})`).pluck().all()
  return rows.filter((row) => row !== "ok")
}

const references = (file: Database): ReadonlyArray<string> =>
  file
    .prepare<[], Broken>(
      `SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT ${MAX_FINDINGS}`
    )
    .all()
    .map(
      ({ table, rowid, parent }) =>
        `${table} ${rowid}: refers to one of ${parent} that does not exist`
    )

/** Every check in turn: those of the file, then the given ones. */
export const inspections = (
  file: Database,
  checks: ReadonlyArray<Check>
): ReadonlyArray<{ readonly name: string; readonly run: () => ReadonlyArray<Finding> }> => {
  file.function("fold", { deterministic: true }, (name: unknown) => fold(String(name)))
  const named = (name: string, look: () => ReadonlyArray<string>) => ({
    name,
    run: (): ReadonlyArray<Finding> => readable(look).map((detail) => ({ check: name, detail }))
  })
  return [
    named("file", () => integrity(file)),
    named("references", () => references(file)),
    ...checks.map(({ name, sql }) =>
      named(name, () =>
        file.prepare<[], string>(`SELECT * FROM (${sql}) LIMIT ${MAX_FINDINGS}`).pluck().all()
      )
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
