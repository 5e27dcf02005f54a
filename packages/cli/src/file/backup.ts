/** What `petstore backup` does. */
import { statSync } from "node:fs"
import process from "node:process"
import { backup } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"
import { failed } from "../store/attempt.js"
import { storeIsAt } from "../store/StoreFile.js"
import { answer } from "../terminal/answer.js"
import { StatusLine } from "../terminal/StatusLine.js"
import { formatBytes, formatCount } from "../terminal/text.js"

export type BackupOptions = { readonly destination: string; readonly db: string; readonly json: boolean }

export const backUp = ({ destination, db, json }: BackupOptions): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    yield* storeIsAt(db)
    const startedMs = performance.now()
    let stage = `copying ${db}`
    const line = new StatusLine(process.stderr, () => stage)
    const say = (now: string): void => {
      stage = now
      line.redraw()
    }
    yield* backup({
      filename: db,
      destination,
      onProgress: ({ copiedPages, totalPages }) =>
        say(`${formatCount(copiedPages)} of ${formatCount(totalPages)} pages copied`),
      onCheck: (check) => say(`checking the copy: ${check}`)
    }).pipe(Effect.mapError(failed), Effect.ensuring(Effect.sync(() => line.end())))
    const bytes = statSync(destination).size
    const seconds = Math.round(performance.now() - startedMs) / 1_000
    yield* Effect.promise(() =>
      answer(
        json,
        () => ({ file: db, copy: destination, bytes, verified: true, seconds }),
        () =>
          `${destination} is a copy of ${db}: ${formatBytes(bytes)}, looked through and whole. It took ${seconds.toFixed(1)} s.`
      )
    )
  })
