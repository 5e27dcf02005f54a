/** The options and arguments of a command, from its usage in the command-line library. */
import type * as Usage from "@effect/cli/Usage"
import * as Option from "effect/Option"

export type OptionSyntax = {
  /** With its dashes: `--db`. */
  readonly name: string
  /** The placeholder of its value: `FILE`. Undefined for a switch such as `--json`. */
  readonly value: string | undefined
  readonly isRepeatable: boolean
  readonly isRequired: boolean
}

export type ArgumentSyntax = {
  /** The placeholder: `DEST`. */
  readonly name: string
  readonly isRequired: boolean
}

export type Syntax = {
  /** The options of a command by their names in lower case. */
  readonly options: ReadonlyMap<string, OptionSyntax>
  /** In the order of the command line. */
  readonly arguments: ReadonlyArray<ArgumentSyntax>
}

export const syntaxOf = (usage: Usage.Usage): Syntax => {
  const options = new Map<string, OptionSyntax>()
  const args: Array<ArgumentSyntax> = []
  const visit = (part: Usage.Usage, isRepeatable: boolean, isRequired: boolean): void => {
    switch (part._tag) {
      case "Empty":
      case "Mixed":
        return
      case "Named":
        for (const name of part.names) {
          const [, argument] = /^<(.*)>$/.exec(name) ?? []
          if (argument !== undefined) args.push({ name: argument, isRequired })
          if (!name.startsWith("-")) continue // the command itself, or an argument
          options.set(name.toLowerCase(), {
            name,
            value: Option.getOrUndefined(part.acceptedValues),
            isRepeatable,
            isRequired: isRequired && !isRepeatable
          })
        }
        return
      case "Optional":
        return visit(part.usage, isRepeatable, false)
      case "Repeated":
        return visit(part.usage, true, isRequired)
      case "Alternation":
      case "Concat":
        visit(part.left, isRepeatable, isRequired)
        visit(part.right, isRepeatable, isRequired)
    }
  }
  visit(usage, false, true)
  return { options, arguments: args }
}
