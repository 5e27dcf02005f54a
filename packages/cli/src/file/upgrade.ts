/** `petstore upgrade`, and the upgrade before `petstore serve --upgrade`. */
import { existsSync } from "node:fs"
import process from "node:process"
import { upgrade, type UpgradeOptions } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"
import { requireStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { shellWord, writeLine } from "../terminal/text.js"
import { withCopyProgress } from "./withCopyProgress.js"

type UpgradeFileOptions = {
  readonly db: string
  readonly json: boolean
  /** Undefined for a dated name beside the file. */
  readonly backup: string | undefined
  readonly noBackup: boolean
  readonly dryRun: boolean
}

const run = (options: UpgradeOptions) =>
  withCopyProgress(`copying ${options.filename}`, (callbacks) =>
    upgrade({ ...options, ...callbacks })
  )

const report = (
  db: string,
  from: number,
  to: number,
  backup: string | undefined
): ReadonlyArray<string> => [
  `${db} is upgraded from schema ${from} to ${to}.`,
  backup === undefined
    ? "No copy of before was made."
    : `The store before the upgrade is in ${backup}; to go back: petstore restore ` +
      `${shellWord(backup)} --db ${shellWord(db)}, with the version that made it.`
]

export const upgradeFile = ({
  db,
  json,
  backup,
  noBackup,
  dryRun
}: UpgradeFileOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    if (backup !== undefined && noBackup)
      yield* CommandFailed.usage("--backup and --no-backup exclude each other")
    yield* requireStore(db)
    const copy = noBackup ? { backup: false as const } : backup === undefined ? {} : { backup }
    const { from, to, seconds, ...made } = yield* run({ filename: db, dryRun, ...copy })
    const changed = from !== to && !dryRun
    yield* Effect.promise(() =>
      answer(
        json,
        () => ({ file: db, from, to, changed, backup: made.backup ?? null, dryRun, seconds }),
        () =>
          from === to
            ? `${db} is up to date: schema ${to}.`
            : dryRun
              ? `${db} has schema ${from}. A copy of it was upgraded to ${to}, checked, and is ` +
                `intact; ${db} is unchanged.`
              : report(db, from, to, made.backup).join("\n")
      )
    )
  })

/** Upgrades before a server starts, with a copy, and prints on stderr what it did. */
export const upgradeFirst = (db: string): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    if (!existsSync(db)) return
    const { from, to, backup } = yield* run({ filename: db })
    if (from === to) return
    for (const line of report(db, from, to, backup)) writeLine(process.stderr, `petstore: ${line}`)
  })
