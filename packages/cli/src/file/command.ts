/** The commands for the file of a store: `backup`, `restore`, `upgrade` and `verify`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { db, stoppedDb } from "../store/options.js"
import { lazy } from "../terminal/lazy.js"
import { json, optional } from "../terminal/options.js"

export const backupCommand = Command.make(
  "backup",
  {
    destination: Args.text({ name: "DEST" }).pipe(
      Args.withDescription("The copy: a file that is not there yet")
    ),
    db,
    json
  },
  lazy(async () => (await import("./backup.js")).backUp)
).pipe(
  Command.withDescription(
    [
      "Copies a store, also while it is served, and looks the copy through as verify does.",
      "The copy is the store as it was when the command began. It gets its name once it is found to be whole; otherwise nothing is left behind. A store of an earlier version is copied as it is. To go back to it: petstore restore."
    ].join("\n\n")
  )
)

export const restoreCommand = Command.make(
  "restore",
  {
    backup: Args.text({ name: "BACKUP" }).pipe(
      Args.withDescription("The copy, as petstore backup made it; it stays as it is")
    ),
    db: stoppedDb,
    json
  },
  lazy(async () => (await import("./restore.js")).restoreFile)
).pipe(
  Command.withDescription(
    [
      "Puts a backup in the place of a store, whose servers must be stopped first.",
      "The copy is looked through as verify does; where anything is wrong with it nothing is changed. The store that was there is kept beside it under a dated name, and the command says how to go back to it. Where it can be read, ids that it gave are not given again, and revoked keys, removed or disabled webhooks, new secrets of webhooks, bans and counts stay so; what else changed since the backup is listed. Followers of the feed and webhooks load anew."
    ].join("\n\n")
  )
)

export const upgradeCommand = Command.make(
  "upgrade",
  {
    db: stoppedDb,
    backup: Options.text("backup").pipe(
      Options.withPseudoName("FILE"),
      Options.withDescription(
        "The copy that is made first: a file that is not there yet. Beside the store, under a dated name, unless given"
      ),
      optional
    ),
    noBackup: Options.boolean("no-backup").pipe(
      Options.withDescription("Make no copy first: then there is no way back")
    ),
    dryRun: Options.boolean("dry-run").pipe(
      Options.withDescription("Only try it on a copy, look that through, and throw it away")
    ),
    json
  },
  lazy(async () => (await import("./upgrade.js")).upgradeFile)
).pipe(
  Command.withDescription(
    [
      "Brings a store that an earlier version wrote up to date, for good. Its servers must be stopped first.",
      "First it makes a copy of the store as it is, and looks it through as it would be afterwards; where anything is wrong nothing is changed. Then the store is changed in one transaction. Other commands never change the schema: they refuse a store of an earlier version."
    ].join("\n\n")
  )
)

export const verifyCommand = Command.make(
  "verify",
  { db, json },
  lazy(async () => (await import("./verify.js")).verifyFile)
).pipe(
  Command.withDescription(
    [
      "Looks a store through, also while it is served.",
      "It checks whether the file is whole, whether what records refer to is there, and whether the shop's books balance: units sold, on order and for sale, and the statuses that follow from them. It changes nothing, and exits 0 if nothing is wrong, else 1."
    ].join("\n\n")
  )
)
