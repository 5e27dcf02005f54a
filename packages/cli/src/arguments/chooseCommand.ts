/** Which command the arguments name, among those there are and those of a group. */
import * as Descriptor from "@effect/cli/CommandDescriptor"
import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import { isBuiltIn, nearest, normalizeArguments } from "./normalizeArguments.js"
import { syntaxOf } from "./Syntax.js"

/** What a name of the command line stands for. */
export type Named = {
  readonly name: string
  /** The command; undefined for a group. */
  readonly command: Descriptor.Command<unknown> | undefined
  /** The commands of a group, by their names. */
  readonly members: HashMap.HashMap<string, Descriptor.Command<unknown>>
}

/** A command as the library has it: one without commands below it has itself there. */
export const named = ({ descriptor }: { readonly descriptor: Descriptor.Command<unknown> }): Named => {
  const [name = ""] = HashSet.toValues(Descriptor.getNames(descriptor))
  const members = Descriptor.getSubcommands(descriptor)
  return { name, members, command: Option.getOrUndefined(HashMap.get(members, name)) }
}

/**
 * What was typed after `petstore`, in the form that the library parses without surprises; or what
 * is wrong with it. Without a command, or with a group alone, it is as it was typed.
 */
export const chooseCommand = (
  commands: ReadonlyArray<Named>,
  typed: ReadonlyArray<string>
): Either.Either<ReadonlyArray<string>, string> => {
  const [first, ...rest] = typed
  if (first === undefined || isBuiltIn(first)) return Either.right(typed)
  const found = commands.find(({ name }) => name === first)
  if (found === undefined) {
    const names = commands.map(({ name }) => name)
    return Either.left(noSuch("petstore", first, names))
  }
  if (found.command !== undefined) return options([first], found.command, rest)
  const [second, ...others] = rest
  if (second === undefined || isBuiltIn(second)) return Either.right(typed)
  return HashMap.get(found.members, second).pipe(
    Either.fromOption(() => noSuch(`petstore ${first}`, second, [...HashMap.keys(found.members)].toSorted())),
    Either.flatMap((member) => options([first, second], member, others))
  )
}

/**
 * The words that name the command, such as `keys create`; none where there is none of that name.
 */
export const commandIn = (
  commands: ReadonlyArray<Named>,
  [first = "", second = ""]: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const found = commands.find(({ name }) => name === first)
  if (found === undefined) return []
  return found.command === undefined && HashMap.has(found.members, second) ? [first, second] : [first]
}

/** What is wrong with the arguments of a command, and where it says what it takes. */
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
  if (typed.startsWith("-")) return `the command comes first, as in ${group} COMMAND --json; there are ${all}`
  const near = nearest(typed, names)
  const meant = near === undefined ? "" : ` Did you mean ${near}?`
  return `${group} has no command '${typed.slice(0, 40)}'.${meant} There are ${all}`
}
