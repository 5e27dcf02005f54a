/**
 * Brings the arguments of a command into the one form that the command-line library parses without
 * surprises: options first, each with its value, then the rest. What can't be understood is said
 * here, in terms of what was typed.
 */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Either from "effect/Either"
import type { OptionSyntax, Syntax } from "./Syntax.js"

/** Options that the library answers itself, whatever else is given. */
const BUILT_IN: ReadonlySet<string> = new Set([
  "-h",
  "--help",
  "--version",
  "--completions",
  "--wizard",
  "--log-level"
])

export const isBuiltIn = (argument: string): boolean => BUILT_IN.has(argument.split("=", 1)[0] ?? "")

/** Where the options end, if nothing else says so. */
const endOf = (typed: ReadonlyArray<string>): number => {
  const at = typed.indexOf("--")
  return at < 0 ? typed.length : at
}

/** Whether a switch is among the options, also of arguments that can't be understood. */
export const hasSwitch = (typed: ReadonlyArray<string>, name: string): boolean =>
  typed.slice(0, endOf(typed)).some((each) => each.replace(/=true$/i, "").toLowerCase() === name)

/** Letters that may be mistyped in a name that is meant. */
const MISTYPED = 2

/**
 * The arguments of one command, without its name. A switch takes no value from the next argument,
 * so `--json 1` is a switch and an argument; a lone `-` is an argument; after `--` there are no
 * options.
 */
export const normalizeArguments = (
  syntax: Syntax,
  typed: ReadonlyArray<string>
): Either.Either<ReadonlyArray<string>, string> => {
  if (typed.slice(0, endOf(typed)).some(isBuiltIn)) return Either.right(typed)
  const options = new Map<string, Array<string>>()
  const rest: Array<string> = []
  for (let at = 0; at < typed.length; at++) {
    const argument = typed[at] ?? ""
    if (argument === "--") {
      rest.push(...typed.slice(at + 1))
      break
    }
    if (!argument.startsWith("-") || argument === "-") {
      rest.push(argument)
      continue
    }
    const [, name = "", inline] = /^([^=]+)(?:=(.*))?$/s.exec(argument) ?? []
    const option = syntax.options.get(name.toLowerCase())
    if (option === undefined) return Either.left(unknown(name || argument, syntax))
    const next = inline === undefined && option.value !== undefined ? typed[++at] : inline
    const wrong = misuse(option, options.has(option.name), next, inline !== undefined, syntax)
    if (wrong !== undefined) return Either.left(wrong)
    const value = next ?? "true"
    const values = options.get(option.name)
    if (values === undefined) options.set(option.name, [value])
    else values.push(value)
  }
  const wrong = missing(syntax, new Set(options.keys()), rest) ?? unexpected(syntax, rest)
  if (wrong !== undefined) return Either.left(wrong)
  const first = [...options].flatMap(([name, values]) => values.flatMap((value) => [name, value]))
  return Either.right([...first, ...rest])
}

/** What a command can't do without, and was not given. */
const missing = (
  syntax: Syntax,
  given: ReadonlySet<string>,
  rest: ReadonlyArray<string>
): string | undefined => {
  const names = [
    ...[...syntax.options.values()]
      .filter(({ name, isRequired }) => isRequired && !given.has(name))
      .map(({ name, value = "" }) => `${name} ${value}`.trimEnd()),
    ...syntax.arguments
      .slice(rest.length)
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => name)
  ]
  const last = names.pop()
  if (last === undefined) return undefined
  return names.length === 0 ? `${last} is needed` : `${names.join(", ")} and ${last} are needed`
}

const unexpected = (syntax: Syntax, rest: ReadonlyArray<string>): string | undefined => {
  const extra = rest[syntax.arguments.length]
  if (extra === undefined) return undefined
  const names = syntax.arguments.map(({ name }) => name).join(" ")
  const taken = names === "" ? "it takes no arguments" : `it takes ${names} and no more`
  return `${taken}, got '${extra.slice(0, 40)}'`
}

const misuse = (
  { name, value: placeholder, isRepeatable }: OptionSyntax,
  isGiven: boolean,
  value: string | undefined,
  isInline: boolean,
  syntax: Syntax
): string | undefined => {
  if (isGiven && !isRepeatable) return `${name} is given twice; it can be given once`
  if (placeholder === undefined)
    return value === undefined || /^(true|false)$/i.test(value)
      ? undefined
      : `${name} takes no value, got '${value.slice(0, 40)}'`
  if (value === undefined) return `${name} needs a value`
  return !isInline && syntax.options.has(value.toLowerCase())
    ? `${name} needs a value; to give it '${value}', write ${name}=${value}`
    : undefined
}

const unknown = (name: string, syntax: Syntax): string => {
  const near = nearest(
    name,
    [...syntax.options.values()].map((option) => option.name)
  )
  return `there is no option ${name.slice(0, 40)}${near === undefined ? "" : `; did you mean ${near}?`}`
}

/** The name that was probably meant, if there is one. */
export const nearest = (typed: string, names: ReadonlyArray<string>): string | undefined => {
  const distance = (name: string) =>
    AutoCorrect.levensteinDistance(typed.slice(0, 40), name, CliConfig.defaultConfig)
  const [best] = names.toSorted((left, right) => distance(left) - distance(right))
  return best !== undefined && distance(best) <= MISTYPED ? best : undefined
}
