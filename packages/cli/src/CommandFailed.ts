/**
 * Why a command ended without having done its work: a code for programs, one line for people, and
 * the exit code.
 */
import * as Data from "effect/Data"

/**
 * - 1: it did not work out.
 * - 2: it was asked for in a way that can't be understood.
 * - 70: a mistake in petstore itself.
 * - 128 + n: ended by signal n.
 */
export type ExitCode = 1 | 2 | 70 | 130 | 143

/**
 * The command's own codes, explained in docs/command.md. What the store refuses has the code of the
 * refusal instead.
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
  /** What programs switch on. */
  readonly code: string
  readonly message: string
  readonly exitCode: ExitCode
  /**
   * What the command found out all the same: members of the object that `--json` prints, beside
   * `error`.
   */
  readonly outcome?: object
}> {
  static readonly because = (message: string, code: FailureCode = "failed"): CommandFailed =>
    new CommandFailed({ code, message, exitCode: 1 })
  static readonly usage = (message: string, code: FailureCode = "usage"): CommandFailed =>
    new CommandFailed({ code, message, exitCode: 2 })
  /** The store refused it; `code` is that of the refusal. */
  static readonly refused = (message: string, code: string): CommandFailed =>
    new CommandFailed({ code, message, exitCode: 1 })
}
