/** Counters of use, one row for each caller. */
import type { UsageRecord } from "@petstore/core/storage"
import type { Database, Statement } from "better-sqlite3"
import { sqlName } from "../base/names.js"

const COLUMNS = [
  "minuteStartMs",
  "minuteUsed",
  "dayStartMs",
  "dayUsed",
  "retryAtMs",
  "refusedAtMs",
  "strikesMs",
  "bannedUntilMs",
  "bans",
  "lastBanMs",
  "otherMinutes",
  "otherDays"
] as const satisfies ReadonlyArray<keyof UsageRecord>

type Stored = Omit<UsageRecord, "strikesMs" | "otherMinutes" | "otherDays"> & {
  readonly strikesMs: string
  readonly otherMinutes: string | null
  readonly otherDays: string | null
}

export class UsageTable {
  readonly #get: Statement<[string], Stored>
  readonly #put: Statement
  readonly #remove: Statement<[string]>

  constructor(file: Database) {
    const named = COLUMNS.map(sqlName)
    this.#get = file.prepare(
      `SELECT ${COLUMNS.map((column) => `${sqlName(column)} AS ${column}`).join(", ")} FROM usage WHERE caller = ?`
    )
    this.#put = file.prepare(
      `INSERT OR REPLACE INTO usage (caller, ${named.join(", ")}) VALUES (?, ${named.map(() => "?").join(", ")})`
    )
    this.#remove = file.prepare("DELETE FROM usage WHERE caller = ?")
  }

  get(caller: string): UsageRecord | undefined {
    const stored = this.#get.get(caller)
    if (stored === undefined) return undefined
    const { otherMinutes, otherDays, ...rest } = stored
    return {
      ...rest,
      strikesMs: numbers(rest.strikesMs),
      ...(otherMinutes === null ? {} : { otherMinutes }),
      ...(otherDays === null ? {} : { otherDays })
    }
  }

  put(caller: string, record: UsageRecord): void {
    this.#put.run(
      caller,
      ...COLUMNS.map((column) =>
        column === "strikesMs" ? record.strikesMs.join() : (record[column] ?? null)
      )
    )
  }

  remove(caller: string): void {
    this.#remove.run(caller)
  }
}

const numbers = (text: string): ReadonlyArray<number> =>
  text === "" ? [] : text.split(",").map(Number)
