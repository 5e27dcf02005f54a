/** What a command says when the store refuses something or fails: one line, in the words of the command line. */
import { StorageError, type StorageErrorReason, ValidationFailed } from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed, type FailureCode } from "../CommandFailed.js"

/** Awaits what may be refused or fail; anything else it rejects with is a mistake in petstore. */
export const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.catchAll(Effect.tryPromise({ try: work, catch: (cause) => cause }), (cause) => {
    const failed = failureOf(cause)
    return failed === undefined ? Effect.die(cause) : Effect.fail(failed)
  })

/** What a command says of a failure it could expect. */
const failureOf = (cause: unknown): CommandFailed | undefined => {
  if (cause instanceof CommandFailed) return cause
  if (cause instanceof StorageError) return failed(cause)
  if (cause instanceof ValidationFailed) return refused(cause)
  return cause instanceof Error && "_tag" in cause && "code" in cause
    ? CommandFailed.refused(cause.message, String(cause.code))
    : undefined
}

/** What a command says of a failure of the storage. */
export const failed = ({ detail, reason, cause }: StorageError): CommandFailed =>
  CommandFailed.because((cause === undefined ? undefined : PASSING[reason]) ?? detail, CODES[reason])

/** Failures of SQLite that have little to do with what was being done: what matters is what helps. */
const PASSING: Readonly<Partial<Record<StorageErrorReason, string>>> = {
  Busy: "another process has been writing to the store for too long; try again",
  Full: "there is no room left for the store; free some on its disk and try again"
}

/** The codes by which programs tell failures of the storage apart. */
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

/** What a command says of values that the rules refuse. */
export const refused = ({ issues, code }: ValidationFailed): CommandFailed =>
  CommandFailed.refused(
    issues
      .map(({ field, expected, got }) => `${OPTIONS[field] ?? field}: expected ${expected}, got ${got}`)
      .join("; "),
    code
  )
