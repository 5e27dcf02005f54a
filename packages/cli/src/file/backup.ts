/** `petstore backup`: copies a store. */
import { statSync } from "node:fs"
import { backup } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { requireStore } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { formatBytes } from "../terminal/text.js"
import { withCopyProgress } from "./withCopyProgress.js"

export type BackupOptions = {
  readonly destination: string
  readonly db: string
  readonly json: boolean
}

export const backUp = ({
  destination,
  db,
  json
}: BackupOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    yield* requireStore(db)
    const { seconds } = yield* withCopyProgress(`copying ${db}`, (callbacks) =>
      Effect.as(backup({ filename: db, destination, ...callbacks }), {})
    )
    const bytes = statSync(destination).size
    yield* Effect.promise(() =>
      answer(
        json,
        () => ({ file: db, copy: destination, bytes, verified: true, seconds }),
        () =>
          `${destination} is a copy of ${db}: ${formatBytes(bytes)}, checked and intact. It ` +
          `took ${seconds.toFixed(1)} s.`
      )
    )
  })
