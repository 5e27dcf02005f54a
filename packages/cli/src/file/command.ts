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
      Args.withDescription("The file for the copy, which must not exist")
    ),
    db,
    json
  },
  lazy(async () => (await import("./backup.js")).backUp)
).pipe(
  Command.withDescription(
    [
      "Copies a store, which may be served, and checks the copy as verify does.",
      "The copy is a snapshot of the start of the command. It gets its name after the check; " +
        "if anything is wrong, no file is left. A store of an earlier version is copied " +
        "unchanged. petstore restore brings a copy back."
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
      "The copy is checked as verify does; if anything is wrong, nothing is changed. The " +
        "replaced store is kept beside it under a dated name, and the command prints how to go " +
        "back to it. If the replaced store can be read, its ids are not assigned again, and " +
        "its revoked keys, removed or disabled webhooks, new secrets of webhooks, bans and " +
        "counts are carried over; other changes since the backup are listed. Readers of the " +
        "feed and webhooks get a resync."
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
        "The file for the copy, which must not exist; a dated name beside the store unless given"
      ),
      optional
    ),
    noBackup: Options.boolean("no-backup").pipe(
      Options.withDescription("Make no copy, so that there is no way back")
    ),
    dryRun: Options.boolean("dry-run").pipe(
      Options.withDescription("Only upgrade and check a copy, and delete it")
    ),
    json
  },
  lazy(async () => (await import("./upgrade.js")).upgradeFile)
).pipe(
  Command.withDescription(
    [
      "Upgrades a store of an earlier version, for good. Stop its servers first.",
      "It first copies the store, upgrades the copy and checks it; if anything is wrong, " +
        "nothing is changed. Then it upgrades the store in one transaction. Other commands " +
        "never change the schema: they refuse a store of an earlier version."
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
      "Checks a store, which may be served.",
      "It checks that the file is intact, that all references exist, and that the books " +
        "balance: units sold, on order and for sale, and the statuses that follow from them. " +
        "It changes nothing. The exit code is 0 if nothing is wrong, else 1."
    ].join("\n\n")
  )
)
