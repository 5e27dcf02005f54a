/** `petstore status`: its options. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { duration, json } from "../terminal/options.js"

const DEFAULT_BACKUP_WITHIN_MS = 7 * 86_400_000

/** A hundred years, for a store without backups. */
const LONGEST_DAYS = 36_525

export const statusCommand = Command.make(
  "status",
  {
    db,
    backupWithinMs: duration("backup-within", LONGEST_DAYS).pipe(
      Options.withDescription(
        "How old the last backup may be, such as 36h or 30d; 7d unless given"
      ),
      Options.withDefault(DEFAULT_BACKUP_WITHIN_MS)
    ),
    json
  },
  lazy(async () => (await import("./run.js")).showStatus)
).pipe(
  Command.withDescription(
    [
      "Shows the status of a store, which may be served, and what needs attention.",
      "Schema, SQLite, sizes, counts, the last backup, and the processes that have the file " +
        "open; webhooks that are behind, keys that expire within 14 days, and accounts that " +
        "are banned or near a limit. It changes nothing, works on a file of an earlier version " +
        "too, and exits 0 if nothing needs attention, else 1."
    ].join("\n\n")
  )
)
