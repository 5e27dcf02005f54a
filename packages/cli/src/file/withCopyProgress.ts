/** Shows the progress of a copy on the status line. */
import process from "node:process"
import type { CopyProgress, Finding } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import type { StorageError } from "@petstore/core"
import type { CommandFailed } from "../CommandFailed.js"
import { storageFailure } from "../store/attempt.js"
import { StatusLine } from "../terminal/StatusLine.js"
import { formatCount } from "../terminal/text.js"

/** Callbacks while a copy is made. */
type CopyCallbacks = {
  readonly onProgress: (progress: CopyProgress) => void
  readonly onCheck: (check: Finding["check"]) => void
}

/** Adds the seconds that the copy took to its result. */
export const withCopyProgress = <A>(
  stage: string,
  work: (callbacks: CopyCallbacks) => Effect.Effect<A, StorageError>
): Effect.Effect<A & { readonly seconds: number }, CommandFailed> =>
  Effect.suspend(() => {
    const startedMs = performance.now()
    let text = stage
    const line = new StatusLine(process.stderr, () => text)
    const show = (next: string): void => {
      text = next
      line.redraw()
    }
    return work({
      onProgress: ({ copiedPages, totalPages }) =>
        show(`${formatCount(copiedPages)} of ${formatCount(totalPages)} pages copied`),
      onCheck: (check) => show(`checking the copy: ${check}`)
    }).pipe(
      Effect.map((answer) => ({
        ...answer,
        seconds: Math.round(performance.now() - startedMs) / 1_000
      })),
      Effect.mapError(storageFailure),
      Effect.ensuring(Effect.sync(() => line.end()))
    )
  })
