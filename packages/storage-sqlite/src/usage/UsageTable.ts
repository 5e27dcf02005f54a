/** The table of usage counters, one row for each caller. */
import type { UsageRecord } from "@petstore/core/storage"
import type { Command, Connection, Query } from "../driver/Driver.js"
import { sqlName } from "../base/names.js"

const COLUMNS = [
  "minuteStartMs",
  "minuteUsed",
  "dayStartMs",
  "dayUsed",
  "retryAtMs",
  "refusedAtMs",
  "bannedUntilMs",
  "bans",
  "lastBanMs",
  "strikesMs",
  "otherMinutes",
  "otherDays"
] as const satisfies ReadonlyArray<keyof UsageRecord>

/** The values of `COLUMNS`. */
type UsageColumns = readonly [
  minuteStartMs: number,
  minuteUsed: number,
  dayStartMs: number,
  dayUsed: number,
  retryAtMs: number,
  refusedAtMs: number,
  bannedUntilMs: number,
  bans: number,
  lastBanMs: number,
  strikesMs: string,
  otherMinutes: string | null,
  otherDays: string | null
]

const recordOf = ([
  minuteStartMs,
  minuteUsed,
  dayStartMs,
  dayUsed,
  retryAtMs,
  refusedAtMs,
  bannedUntilMs,
  bans,
  lastBanMs,
  strikesMs,
  otherMinutes,
  otherDays
]: UsageColumns): UsageRecord => ({
  minuteStartMs,
  minuteUsed,
  dayStartMs,
  dayUsed,
  retryAtMs,
  refusedAtMs,
  bannedUntilMs,
  bans,
  lastBanMs,
  strikesMs: numbers(strikesMs),
  ...(otherMinutes === null ? {} : { otherMinutes }),
  ...(otherDays === null ? {} : { otherDays })
})

export class UsageTable {
  readonly #get: Query<UsageColumns>
  readonly #put: Command
  readonly #remove: Command

  constructor(file: Connection) {
    const columns = COLUMNS.map(sqlName).join(", ")
    this.#get = file.rows(`SELECT ${columns} FROM usage WHERE caller = ?`)
    this.#put = file.command(
      `INSERT OR REPLACE INTO usage (caller, ${columns}) VALUES (?${", ?".repeat(COLUMNS.length)})`
    )
    this.#remove = file.command("DELETE FROM usage WHERE caller = ?")
  }

  get(caller: string): UsageRecord | undefined {
    const row = this.#get.get(caller)
    return row === undefined ? undefined : recordOf(row)
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
