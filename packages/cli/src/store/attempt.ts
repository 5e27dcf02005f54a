/** Turns refusals and failures of the store into failures of a command: one line each. */
import { StorageError, type StorageErrorReason, ValidationFailed } from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed, type FailureCode } from "../CommandFailed.js"

/** Runs work that the store may refuse or fail. Other rejections are bugs, and defects. */
export const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.catchAll(Effect.tryPromise({ try: work, catch: (cause) => cause }), (cause) => {
    const failure = failureOf(cause)
    return failure === undefined ? Effect.die(cause) : Effect.fail(failure)
  })

/** Undefined for a bug. */
const failureOf = (cause: unknown): CommandFailed | undefined => {
  if (cause instanceof CommandFailed) return cause
  if (cause instanceof StorageError) return storageFailure(cause)
  if (cause instanceof ValidationFailed) return refusalFailure(cause)
  return cause instanceof Error && "_tag" in cause && "code" in cause
    ? CommandFailed.refused(cause.message, String(cause.code))
    : undefined
}

/** The failure of a command whose storage failed. */
export const storageFailure = ({ detail, reason, cause }: StorageError): CommandFailed =>
  CommandFailed.because(
    (cause === undefined ? undefined : MESSAGES[reason]) ?? detail,
    CODES[reason]
  )

/** Failures that do not depend on the command. The message says what helps. */
const MESSAGES: Readonly<Partial<Record<StorageErrorReason, string>>> = {
  Busy: "another process has been writing to the store for too long; try again",
  Full: "there is no room left for the store; free some on its disk and try again"
}

const CODES: Readonly<Record<StorageErrorReason, FailureCode>> = {
  Busy: "busy",
  Full: "storage_full",
  ReadOnly: "read_only",
  Corrupt: "corrupt",
  NewerVersion: "newer_version",
  OlderVersion: "older_version",
  Unavailable: "unavailable",
  Unknown: "storage_failed"
}

const OPTIONS: Readonly<Record<string, string>> = {
  perMinute: "--per-minute",
  perDay: "--per-day",
  name: "--name",
  expiresAt: "--expires",
  overlapMs: "--overlap"
}

/** The failure of a command whose values were refused. */
export const refusalFailure = ({ issues, code }: ValidationFailed): CommandFailed =>
  CommandFailed.refused(
    issues
      .map(
        ({ field, expected, got }) => `${OPTIONS[field] ?? field}: expected ${expected}, got ${got}`
      )
      .join("; "),
    code
  )
