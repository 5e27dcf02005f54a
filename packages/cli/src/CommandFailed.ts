/** Why a command ended without having done its work: one line for people and the code the process ends with. */
import * as Data from "effect/Data"

/** 1: it did not work out. 2: it was asked for in a way that can't be understood. 128 + n: ended by signal n. */
export type ExitCode = 1 | 2 | 130 | 143

export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  readonly exitCode: ExitCode
}> {
  static readonly because = (message: string): CommandFailed => new CommandFailed({ message, exitCode: 1 })
  static readonly usage = (message: string): CommandFailed => new CommandFailed({ message, exitCode: 2 })
}
