/** The failure of a command: a code for programs, one line for people, and the exit code. */
import * as Data from "effect/Data"

/**
 * - 1: it failed.
 * - 2: wrong usage.
 * - 70: a bug in petstore.
 * - 128 + n: ended by signal n.
 */
export type ExitCode = 1 | 2 | 70 | 130 | 143

/**
 * Codes of the command, explained in docs/command.md. A refusal of the store keeps its own code.
 */
export const FAILURE_CODES = [
  "usage",
  "wrong_column",
  "no_store",
  "not_empty",
  "other_plan",
  "nothing_known",
  "damaged",
  "needs_attention",
  "busy",
  "storage_full",
  "read_only",
  "corrupt",
  "newer_version",
  "older_version",
  "unavailable",
  "storage_failed",
  "webhook_secret",
  "unreadable_file",
  "no_requests",
  "unreadable_list",
  "progress_file",
  "report_file",
  "other_import",
  "import_running",
  "import_stopped",
  "interrupted",
  "output_lost",
  "failed",
  "internal"
] as const

export type FailureCode = (typeof FAILURE_CODES)[number]

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  /** For programs. */
  readonly code: string
  readonly message: string
  readonly exitCode: ExitCode
  /** Results in spite of the failure: members that `--json` prints beside `error`. */
  readonly outcome?: object
}> {
  static readonly because = (message: string, code: FailureCode = "failed"): CommandFailed =>
    new CommandFailed({ code, message, exitCode: 1 })
  static readonly usage = (message: string, code: FailureCode = "usage"): CommandFailed =>
    new CommandFailed({ code, message, exitCode: 2 })
  /** For a refusal of the store, with its code. */
  static readonly refused = (message: string, code: string): CommandFailed =>
    new CommandFailed({ code, message, exitCode: 1 })
}
