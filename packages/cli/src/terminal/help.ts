/**
 * Formats the help of the command-line library in two columns that fit a terminal, without the
 * sentences that it repeats for every option.
 */
import { wrap } from "./wrap.js"

/** Sentences that the library repeats for nearly every option. */
const NOISE = [
  "A user-defined piece of text",
  "A true or false value",
  "One of the following:",
  "An integer",
  "This setting is optional",
  "This option can be set from",
  "This option may be repeated"
]

const isNoise = (line: string): boolean => NOISE.some((beginning) => line.startsWith(beginning))

const SECTIONS: ReadonlySet<string> = new Set([
  "USAGE",
  "DESCRIPTION",
  "ARGUMENTS",
  "OPTIONS",
  "COMMANDS"
])
const FIRST_COLUMN = 26
const WIDEST = 100
const FOOTER =
  "says more about a command, petstore --version which this is; petstore --completions bash " +
  "(zsh, fish) prints completions for a shell."

type Item = { readonly head: string; readonly body: string }

const twoColumns = (items: ReadonlyArray<Item>, width: number): ReadonlyArray<string> =>
  items.flatMap(({ head, body }) => {
    const lines = wrap(body, width - FIRST_COLUMN)
    const fits = head.length + 4 <= FIRST_COLUMN
    const [first = "", ...rest] = fits ? lines : ["", ...lines]
    const indented = rest.map((line) => " ".repeat(FIRST_COLUMN) + line)
    return [`  ${head.padEnd(FIRST_COLUMN - 2)}${first}`.trimEnd(), ...indented]
  })

/** Heads start at the margin. Their descriptions are indented. */
const itemsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  for (const line of lines) {
    const last = items.at(-1)
    if (!line.startsWith(" ")) items.push({ head: line, body: "" })
    else if (last !== undefined && !isNoise(line.trim())) {
      items[items.length - 1] = { head: last.head, body: `${last.body} ${line.trim()}` }
    }
  }
  return items
}

/** The name and the first sentence of each command. A group appears once. */
const commandsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Item> =>
  lines
    .join("\n")
    .split(/^ *- /m)
    .filter((text) => text.trim() !== "")
    .map((text) => {
      const [, head = "", body = ""] = /^(\S+)(?:.*? {2,}(.*))?$/s.exec(text) ?? []
      return { head, body: /^.*?[.](?=\s|$)/s.exec(body)?.[0] ?? body }
    })
    .filter(({ head }, at, all) => all.findIndex((each) => each.head === head) === at)

/**
 * Required parts by name, the rest as "[options]". The library leaves out the group of a command.
 */
const usageOf = (line: string, group: string): string => {
  const [command = "", ...parts] = line.replace(/^\$ (petstore )?/, "").split(/(?=[[<])|(?= --)/)
  const name = command.replace(/^petstore/, "").trim()
  if (name === group) return `${join("petstore", group)} COMMAND`
  const needed = parts
    .map((part) => part.trim())
    .filter((part) => !part.startsWith("[") && !part.endsWith("..."))
  const rest = parts.length > needed.length ? " [options]" : ""
  return join("petstore", group, name, ...needed) + rest
}

const join = (...words: ReadonlyArray<string>): string =>
  words.filter((word) => word !== "").join(" ")

/**
 * `text` has no escape codes. `group` is the group of the command, empty for none. `title` formats
 * the titles of sections.
 */
export const readableHelp = (
  text: string,
  group: string,
  columns: number,
  title: (text: string) => string
): string => {
  const width = Math.min(Math.max(columns, 60), WIDEST)
  const sections = new Map<string, Array<string>>()
  let section = ""
  for (const line of text.split("\n").map((each) => each.trimEnd())) {
    if (SECTIONS.has(line)) section = line
    else if (line !== "" && section !== "")
      sections.set(section, [...(sections.get(section) ?? []), line])
  }
  const [usage = ""] = sections.get("USAGE") ?? []
  const parts: Array<ReadonlyArray<string>> = [[usageOf(usage, group)]]
  for (const line of sections.get("DESCRIPTION") ?? []) parts.push(wrap(line, width))
  for (const name of ["ARGUMENTS", "OPTIONS"]) {
    const items = itemsOf(sections.get(name) ?? [])
    if (items.length > 0) parts.push([title(name), ...twoColumns(items, width)])
  }
  const commands = commandsOf(sections.get("COMMANDS") ?? [])
  if (commands.length > 0)
    parts.push(
      [title("COMMANDS"), ...twoColumns(commands, width)],
      wrap(`${join("petstore", group)} COMMAND --help ${FOOTER}`, width)
    )
  return parts.map((lines) => lines.join("\n")).join("\n\n")
}
