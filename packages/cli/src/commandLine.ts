/** The command line: lists the commands, runs one, prints help and failures. */
import process from "node:process"
import { stripVTControlCharacters } from "node:util"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import type * as ValidationError from "@effect/cli/ValidationError"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { accountsCommand } from "./accounts/command.js"
import {
  chooseCommand,
  commandIn,
  type CommandEntry,
  commandEntry,
  withHelp
} from "./arguments/chooseCommand.js"
import { hasSwitch } from "./arguments/normalizeArguments.js"
import { CommandFailed } from "./CommandFailed.js"
import { deprecationsCommand } from "./deprecations/command.js"
import { backupCommand, restoreCommand, upgradeCommand, verifyCommand } from "./file/command.js"
import { historyCommand } from "./history/command.js"
import { importCommand } from "./import/command.js"
import { keysCommand } from "./keys/command.js"
import { limitsCommand } from "./limits/command.js"
import { openapiCommand } from "./openapi/command.js"
import { seedCommand } from "./seed/command.js"
import { serveCommand } from "./serve/command.js"
import { statusCommand } from "./status/command.js"
import { webhooksCommand } from "./webhooks/command.js"
import { answerFailure } from "./terminal/answer.js"
import { readableHelp } from "./terminal/help.js"
import { notice } from "./terminal/StatusLine.js"
import { versionText } from "./terminal/versionText.js"
import { Version } from "./Version.js"
import { printable, writeLine } from "./terminal/text.js"

const commands = [
  serveCommand,
  keysCommand,
  accountsCommand,
  limitsCommand,
  seedCommand,
  importCommand,
  statusCommand,
  backupCommand,
  restoreCommand,
  upgradeCommand,
  verifyCommand,
  historyCommand,
  openapiCommand,
  deprecationsCommand,
  webhooksCommand
] as const

/** The commands and groups in the order of the help. */
const names: ReadonlyArray<CommandEntry> = commands.map((command) => commandEntry(command))

const petstore = Command.make("petstore").pipe(
  Command.withDescription("Serves a pet store over HTTP and keeps it. Try: petstore serve --demo"),
  Command.withSubcommands(commands)
)

const platform = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  NodeTerminal.layer,
  CliConfig.layer({ showBuiltIns: false })
)

/**
 * Runs the command of the arguments of the process and returns the exit code. A failure is printed
 * on stderr, and with `--json` as an object on stdout too.
 */
export const runCommandLine = async (
  argv: ReadonlyArray<string>,
  version: string
): Promise<number> => {
  const [node = "", script = "", ...typed] = argv
  const group =
    names.find(({ name, command }) => command === undefined && name === typed[0])?.name ?? ""
  const isNoCommand = typed.length === (group === "" ? 0 : 1)
  const exit = await Effect.runPromiseExit(
    Effect.gen(function* () {
      const args = yield* normalize(isNoCommand ? [...typed, "--help"] : typed)
      const shown = hasSwitch(typed, "--version") ? yield* versionText(version) : version
      yield* Command.run(petstore, { name: "petstore", version: shown })([
        node,
        script,
        ...args
      ]).pipe(
        withPlainConsole(group),
        Effect.provide(platform),
        Effect.provideService(Version, version)
      )
    })
  )
  if (Exit.isSuccess(exit)) return isNoCommand ? 2 : 0
  const { code, message, exitCode, outcome } = failureOf(exit.cause, typed)
  const failure = new CommandFailed({
    code,
    message: oneLine(message),
    exitCode,
    ...(outcome === undefined ? {} : { outcome })
  })
  if (hasSwitch(typed, "--json")) answerFailure(failure)
  notice(`petstore: ${failure.message}`)
  return exitCode
}

/** The arguments in the form that the library parses. */
const normalize = (
  typed: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Either.match(chooseCommand(names, typed), {
    onLeft: (wrong) => Effect.fail(CommandFailed.usage(wrong)),
    onRight: Effect.succeed
  })

const failureOf = (
  cause: Cause.Cause<CommandFailed | ValidationError.ValidationError>,
  typed: ReadonlyArray<string>
): CommandFailed =>
  Option.match(Cause.failureOption(cause), {
    onNone: () =>
      new CommandFailed({
        code: "internal",
        message: `a mistake in petstore itself: ${Cause.pretty(cause)}`,
        exitCode: 70
      }),
    onSome: (failure) => (failure instanceof CommandFailed ? failure : misuse(failure, typed))
  })

/** The failure of the parser in one line. */
const misuse = (
  { error }: ValidationError.ValidationError,
  typed: ReadonlyArray<string>
): CommandFailed =>
  CommandFailed.usage(withHelp(commandIn(names, typed), oneLine(HelpDoc.toAnsiText(error))))

/** A message of any form as one line of limited length. */
const oneLine = (text: string): string =>
  printable(stripVTControlCharacters(text).replace(/\s+/g, " ").trim(), 500)

/** Formats the help. Drops the error output of the library, since {@link misuse} reports it. */
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
  return plain.includes("\nUSAGE\n")
    ? readableHelp(plain, group, process.stdout.columns || 80, bold)
    : plain
}

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`
