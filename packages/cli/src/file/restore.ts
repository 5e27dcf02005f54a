/** `petstore restore`: replaces a store with a backup. */
import { existsSync } from "node:fs"
import { restore, type Restored } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { answer } from "../terminal/answer.js"
import { formatCount, shellWord } from "../terminal/text.js"
import { secretFileOf } from "../webhooks/secretFile.js"
import { withCopyProgress } from "./withCopyProgress.js"

export type RestoreOptions = {
  readonly backup: string
  readonly db: string
  readonly json: boolean
}

/** Whether the file with the secret for webhooks exists, which is in no backup. */
type Secret = "not needed" | "there" | "missing"

export const restoreFile = ({
  backup,
  db,
  json
}: RestoreOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const restored = yield* withCopyProgress(`copying ${backup}`, (callbacks) =>
      restore({ backup, filename: db, ...callbacks })
    )
    const { file, schema, needsUpgrade, moved, carried, notCarried, seconds } = restored
    const secret: Secret =
      restored.webhooks === 0 ? "not needed" : existsSync(secretFileOf(db)) ? "there" : "missing"
    const undo = undoCommands(restored)
    yield* Effect.promise(() =>
      answer(
        json,
        () => ({
          file,
          backup,
          schema,
          needsUpgrade,
          moved,
          carried,
          notCarried,
          webhookSecret: secret,
          undo,
          seconds
        }),
        () => report(db, backup, restored, secret, undo).join("\n")
      )
    )
  })

/**
 * Shell commands that bring the replaced store back without losing the restored one; empty if there
 * was no store. A store that can't be restored is moved.
 */
const undoCommands = ({ file, moved, canGoBack }: Restored): ReadonlyArray<string> => {
  const replaced = moved.find(({ from }) => from === file)?.to
  if (replaced === undefined) return []
  if (canGoBack) return [`petstore restore ${shellWord(replaced)} --db ${shellWord(file)}`]
  const undone = replaced.replace(/\.replaced-(?!.*\.replaced-)/, ".undone-")
  return [
    `for end in "" -wal -shm -journal; do [ ! -e ${shellWord(file)}$end ] || mv -n ` +
      `${shellWord(file)}$end ${shellWord(undone)}$end; done`,
    ...moved.map(({ from, to }) => `mv -n ${shellWord(to)} ${shellWord(from)}`)
  ]
}

const report = (
  db: string,
  backup: string,
  { moved, carried, notCarried, needsUpgrade, schema }: Restored,
  secret: Secret,
  undo: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const counts = [
    [carried.ids, "kinds of records whose next id comes after those that were given"],
    [carried.revisions, "records whose next ETag is a new one"],
    [carried.keys, "keys that were revoked, disabled or given another end since the backup"],
    [
      carried.webhooks,
      "webhooks that were removed, stopped or given another secret since the backup"
    ],
    [carried.callers, "callers with their counts and bans"]
  ] as const
  return [
    `${db} has the records of ${backup}, which was checked and is intact.`,
    ...moved.map(({ from, to }) => `Moved aside: ${from} is now ${to}`),
    ...counts
      .filter(([count]) => count > 0)
      .map(([count, what]) => `Taken over: ${what}: ${formatCount(count)}`),
    ...notCarried.map((what) => `Not taken over: ${what}`),
    ...(secret === "missing"
      ? [
          `${secretFileOf(db)} is missing: webhooks are signed with a new secret unless you ` +
            "put it back before you serve"
        ]
      : []),
    ...(needsUpgrade
      ? [
          `It has schema ${schema}, of an earlier version. Next: petstore upgrade --db ` +
            shellWord(db)
        ]
      : []),
    ...(undo.length === 0
      ? []
      : ["To undo it, stop its servers, then:", ...undo.map((line) => `  ${line}`)])
  ]
}
