/** Files as the version before this one had them. */
import type { Connection } from "../src/driver/Driver.js"

/** Takes a store of this version back to schema 4. */
export const toSchema4 = (file: Connection): void => {
  file.exec(
    `DROP TABLE about; ALTER TABLE usage DROP COLUMN other_minutes; ALTER TABLE usage DROP COLUMN other_days`
  )
  file.pragma("user_version = 4")
}
