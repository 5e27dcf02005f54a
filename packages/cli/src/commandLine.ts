/** The command line: which commands there are, and how one is run, explained and ended. A new command is one line here. */
import process from "node:process"
import { stripVTControlCharacters } from "node:util"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { accountsCommand } from "./accounts/command.js"
import { CommandFailed } from "./CommandFailed.js"
import { deprecationsCommand } from "./deprecations/command.js"
import { backupCommand, verifyCommand } from "./file/command.js"
import { historyCommand } from "./history/command.js"
import { importCommand } from "./import/command.js"
import { keysCommand } from "./keys/command.js"
import { limitsCommand } from "./limits/command.js"
import { openapiCommand } from "./openapi/command.js"
import { seedCommand } from "./seed/command.js"
import { serveCommand } from "./serve/command.js"
import { webhooksCommand } from "./webhooks/command.js"
import { readableHelp } from "./terminal/help.js"
import { shown, writeLine } from "./terminal/text.js"

const commands = [
  serveCommand,
  keysCommand,
  accountsCommand,
  limitsCommand,
  seedCommand,
  importCommand,
  backupCommand,
  verifyCommand,
  historyCommand,
  openapiCommand,
  deprecationsCommand,
  webhooksCommand
] as const

/** The commands that are nothing but a name for others. */
const GROUPS: ReadonlySet<string> = new Set(["keys", "accounts", "limits", "webhooks"])

const petstore = Command.make("petstore").pipe(
  Command.withDescription("Serves a pet store over HTTP and keeps it. Try: petstore serve --demo"),
  Command.withSubcommands(commands)
)

const surroundings = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  NodeTerminal.layer,
  CliConfig.layer({ showBuiltIns: false })
)

/** Runs what the arguments (of the whole process) ask for. Answers with the exit code; says on stderr what went wrong. */
export const runCommandLine = async (argv: ReadonlyArray<string>, version: string): Promise<number> => {
  const [, , first = "", ...rest] = argv
  const group = GROUPS.has(first) ? first : ""
  const isNoCommand = first === group && rest.length === 0
  const told = isNoCommand ? [...argv, "--help"] : argv
  const exit = await Effect.runPromiseExit(
    Command.run(petstore, { name: "petstore", version })(told).pipe(
      withPlainConsole(group),
      Effect.provide(surroundings)
    )
  )
  if (Exit.isSuccess(exit)) return isNoCommand ? 2 : 0
  return Option.match(Cause.failureOption(exit.cause), {
    onNone: () => {
      writeLine(process.stderr, `petstore: a mistake in petstore itself: ${Cause.pretty(exit.cause)}`)
      return 70
    },
    onSome: (failure) => {
      const { message, exitCode } = failure instanceof CommandFailed ? failure : misuse(failure)
      writeLine(process.stderr, `petstore: ${oneLine(message)}`)
      return exitCode
    }
  })
}

/** What the parser could not understand, as one line. */
const misuse = (failure: unknown): CommandFailed =>
  CommandFailed.usage(
    ValidationError.isValidationError(failure)
      ? `${oneLine(HelpDoc.toAnsiText(failure.error))} (petstore --help says what there is)`
      : String(failure)
  )

/** However long and in whatever form others said it. */
const oneLine = (text: string): string =>
  shown(stripVTControlCharacters(text).replace(/\s+/g, " ").trim(), 500)

/** Help is made readable; the parser's own report of a misuse is dropped: {@link misuse} is the only one. */
const withPlainConsole =
  (group: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.consoleWith((standard) =>
      Effect.withConsole(effect, {
        ...standard,
        log: (...lines) =>
          Effect.sync(() => {
            for (const line of lines) writeLine(process.stdout, readable(String(line), group))
          }),
        error: () => Effect.void
      })
    )

const readable = (output: string, group: string): string => {
  const plain = stripVTControlCharacters(output).trimEnd()
  return plain.includes("\nUSAGE\n") ? readableHelp(plain, group, process.stdout.columns || 80, bold) : plain
}

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`
