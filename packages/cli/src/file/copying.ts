/** A line that says how far a copy is, for the commands that make one. */
import process from "node:process"
import type { CopyProgress, Finding } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type { StorageError } from "@petstore/core"
import type { CommandFailed } from "../CommandFailed.js"
import { failed } from "../store/attempt.js"
import { StatusLine } from "../terminal/StatusLine.js"
import { formatCount } from "../terminal/text.js"

/** What a command is told while a copy is made. */
export type Told = {
  readonly onProgress: (progress: CopyProgress) => void
  readonly onCheck: (check: Finding["check"]) => void
}

/** Runs what makes a copy, shows how far it is, and answers how many seconds it took. */
export const showingCopy = <A>(
  stage: string,
  work: (told: Told) => Effect.Effect<A, StorageError>
): Effect.Effect<A & { readonly seconds: number }, CommandFailed> =>
  Effect.suspend(() => {
    const startedMs = performance.now()
    let now = stage
    const line = new StatusLine(process.stderr, () => now)
    const say = (text: string): void => {
      now = text
      line.redraw()
    }
    return work({
      onProgress: ({ copiedPages, totalPages }) =>
        say(`${formatCount(copiedPages)} of ${formatCount(totalPages)} pages copied`),
      onCheck: (check) => say(`checking the copy: ${check}`)
    }).pipe(
      Effect.map((answer) => ({ ...answer, seconds: Math.round(performance.now() - startedMs) / 1_000 })),
      Effect.mapError(failed),
      Effect.ensuring(Effect.sync(() => line.end()))
    )
  })
