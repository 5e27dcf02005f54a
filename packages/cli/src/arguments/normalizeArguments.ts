/**
 * Normalizes the arguments of a command for the command-line library: options first, each with its
 * value, then the rest. Reports arguments that are wrong in terms of what was typed.
 */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Either from "effect/Either"
import type { OptionSyntax, Syntax } from "./Syntax.js"

/** Options that the library handles, whatever else is given. */
const BUILT_IN: ReadonlySet<string> = new Set([
  "-h",
  "--help",
  "--version",
  "--completions",
  "--wizard",
  "--log-level"
])

export const isBuiltIn = (argument: string): boolean =>
  BUILT_IN.has(argument.split("=", 1)[0] ?? "")

/** The index of `--`, which ends the options. */
const optionsEnd = (typed: ReadonlyArray<string>): number => {
  const at = typed.indexOf("--")
  return at < 0 ? typed.length : at
}

/** Whether a switch is given, even if other arguments are wrong. */
export const hasSwitch = (typed: ReadonlyArray<string>, name: string): boolean =>
  typed
    .slice(0, optionsEnd(typed))
    .some((each) => each.replace(/=true$/i, "").toLowerCase() === name)

/** The most wrong letters in a name that is suggested. */
const MAX_DISTANCE = 2

/**
 * `typed` has the arguments without the name of the command. A switch takes no value from the next
 * argument, so `--json 1` is a switch and an argument. `-` alone is an argument. After `--` there
 * are no options.
 */
export const normalizeArguments = (
  syntax: Syntax,
  typed: ReadonlyArray<string>
): Either.Either<ReadonlyArray<string>, string> => {
  if (typed.slice(0, optionsEnd(typed)).some(isBuiltIn)) return Either.right(typed)
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

/** The required options and arguments that are missing. */
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
  const expected = names === "" ? "it takes no arguments" : `it takes ${names} and no more`
  return `${expected}, got '${extra.slice(0, 40)}'`
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
  const hint = near === undefined ? "" : `; did you mean ${near}?`
  return `there is no option ${name.slice(0, 40)}${hint}`
}

/** The name that is most similar, if one is similar enough. */
export const nearest = (typed: string, names: ReadonlyArray<string>): string | undefined => {
  const distance = (name: string) =>
    AutoCorrect.levensteinDistance(typed.slice(0, 40), name, CliConfig.defaultConfig)
  const [best] = names.toSorted((left, right) => distance(left) - distance(right))
  return best !== undefined && distance(best) <= MAX_DISTANCE ? best : undefined
}
