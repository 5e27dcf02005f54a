/** The table `about`, which has the history of the file. */
import type { Connection } from "../driver/Driver.js"
import type { About } from "./About.js"

const NAMES = {
  createdMs: "created_ms",
  upgradedMs: "upgraded_ms",
  restoredMs: "restored_ms",
  lastBackupMs: "last_backup_ms"
} as const satisfies Readonly<Record<keyof About, string>>

/** All undefined if the schema of the file has no such table. */
export const readAbout = (file: Connection): About => {
  const hasTable =
    file.values("SELECT 1 FROM sqlite_schema WHERE name = 'about'").get() !== undefined
  const get = hasTable ? file.values<string>("SELECT value FROM about WHERE name = ?") : undefined
  const timeOf = (name: keyof About): number | undefined => {
    const value = get?.get(NAMES[name])
    return value === undefined ? undefined : Number(value)
  }
  return {
    createdMs: timeOf("createdMs"),
    upgradedMs: timeOf("upgradedMs"),
    restoredMs: timeOf("restoredMs"),
    lastBackupMs: timeOf("lastBackupMs")
  }
}

export const noteAbout = (file: Connection, name: keyof About, timeMs: number): void => {
  file.command("INSERT OR REPLACE INTO about VALUES (?, ?)").run(NAMES[name], String(timeMs))
}
