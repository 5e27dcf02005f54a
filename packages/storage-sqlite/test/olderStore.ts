/** Files as the version before this one had them. */
import type { Database } from "better-sqlite3"

/** Takes a store of this version back to schema 4. */
export const toSchema4 = (file: Database): void => {
  file.exec(
    `DROP TABLE about; ALTER TABLE usage DROP COLUMN other_minutes; ALTER TABLE usage DROP COLUMN other_days`
  )
  file.pragma("user_version = 4")
}
