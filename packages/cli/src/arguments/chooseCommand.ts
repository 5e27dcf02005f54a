/** Finds the command that the arguments name, on the top level or in a group. */
import * as Descriptor from "@effect/cli/CommandDescriptor"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import { isBuiltIn, nearest, normalizeArguments } from "./normalizeArguments.js"
import { syntaxOf } from "./Syntax.js"

/** A command or a group of commands. */
export type CommandEntry = {
  readonly name: string
  /** The command; undefined for a group. */
  readonly command: Descriptor.Command<unknown> | undefined
  /** The commands of a group by their names. */
  readonly members: HashMap.HashMap<string, Descriptor.Command<unknown>>
}

/** In the library, a command without subcommands is its own only member. */
export const commandEntry = ({
  descriptor
}: {
  readonly descriptor: Descriptor.Command<unknown>
}): CommandEntry => {
  const [name = ""] = HashSet.toValues(Descriptor.getNames(descriptor))
  const members = Descriptor.getSubcommands(descriptor)
  return { name, members, command: Option.getOrUndefined(HashMap.get(members, name)) }
}

/**
 * The normalized arguments after `petstore`, or the error. Arguments without a command, or with a
 * group alone, are not changed.
 */
export const chooseCommand = (
  commands: ReadonlyArray<CommandEntry>,
  typed: ReadonlyArray<string>
): Either.Either<ReadonlyArray<string>, string> => {
  const [first, ...rest] = typed
  if (first === undefined || isBuiltIn(first)) return Either.right(typed)
  const entry = commands.find(({ name }) => name === first)
  if (entry === undefined) {
    const names = commands.map(({ name }) => name)
    return Either.left(noSuch("petstore", first, names))
  }
  if (entry.command !== undefined) return options([first], entry.command, rest)
  const [second, ...others] = rest
  if (second === undefined || isBuiltIn(second)) return Either.right(typed)
  return HashMap.get(entry.members, second).pipe(
    Either.fromOption(() =>
      noSuch(`petstore ${first}`, second, [...HashMap.keys(entry.members)].toSorted())
    ),
    Either.flatMap((member) => options([first, second], member, others))
  )
}

/** The words that name the command, such as `keys create`; empty if there is no such command. */
export const commandIn = (
  commands: ReadonlyArray<CommandEntry>,
  [first = "", second = ""]: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const entry = commands.find(({ name }) => name === first)
  if (entry === undefined) return []
  return entry.command === undefined && HashMap.has(entry.members, second)
    ? [first, second]
    : [first]
}

/** Adds to a message how to get help. */
export const withHelp = (command: ReadonlyArray<string>, wrong: string): string =>
  `${wrong} (${["petstore", ...command].join(" ")} --help says what there is)`

const options = (
  names: ReadonlyArray<string>,
  command: Descriptor.Command<unknown>,
  typed: ReadonlyArray<string>
): Either.Either<ReadonlyArray<string>, string> =>
  normalizeArguments(syntaxOf(Descriptor.getUsage(command)), typed).pipe(
    Either.mapBoth({
      onLeft: (wrong) => withHelp(names, wrong),
      onRight: (rest) => [...names, ...rest]
    })
  )

const noSuch = (group: string, typed: string, names: ReadonlyArray<string>): string => {
  const all = names.join(", ")
  if (typed.startsWith("-"))
    return `the command comes first, as in ${group} COMMAND --json; there are ${all}`
  const near = nearest(typed, names)
  const suggestion = near === undefined ? "" : ` Did you mean ${near}?`
  return `${group} has no command '${typed.slice(0, 40)}'.${suggestion} There are ${all}`
}
