/**
 * How the options of a command are written, taken from the usage that the command-line library has
 * of it.
 */
import type * as Usage from "@effect/cli/Usage"
import * as Option from "effect/Option"

export type OptionSyntax = {
  /** With its dashes: `--db`. */
  readonly name: string
  /** Without one it is a switch, such as `--json`. */
  readonly takesValue: boolean
  readonly repeatable: boolean
}

/** The options of a command by their names in lower case. */
export type Syntax = ReadonlyMap<string, OptionSyntax>

export const syntaxOf = (usage: Usage.Usage): Syntax => {
  const options = new Map<string, OptionSyntax>()
  const visit = (part: Usage.Usage, repeatable: boolean): void => {
    switch (part._tag) {
      case "Empty":
      case "Mixed":
        return
      case "Named":
        for (const name of part.names) {
          if (!name.startsWith("-")) continue // the command itself, or an argument
          options.set(name.toLowerCase(), {
            name,
            takesValue: Option.isSome(part.acceptedValues),
            repeatable
          })
        }
        return
      case "Optional":
        return visit(part.usage, repeatable)
      case "Repeated":
        return visit(part.usage, true)
      case "Alternation":
      case "Concat":
        visit(part.left, repeatable)
        visit(part.right, repeatable)
    }
  }
  visit(usage, false)
  return options
}
