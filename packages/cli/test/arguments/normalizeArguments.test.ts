import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { hasSwitch, isBuiltIn, normalizeArguments } from "../../src/arguments/normalizeArguments.js"
import type { ArgumentSyntax, OptionSyntax, Syntax } from "../../src/arguments/Syntax.js"

const OPTIONS: ReadonlyArray<OptionSyntax> = [
  { name: "--db", value: "FILE", isRepeatable: false, isRequired: false },
  { name: "--type", value: "TYPE", isRepeatable: true, isRequired: false },
  { name: "--json", value: undefined, isRepeatable: false, isRequired: false }
]

const optionalArguments = (count: number): ReadonlyArray<ArgumentSyntax> =>
  Array.from({ length: count }, (_, at) => ({ name: `ARGUMENT${at}`, isRequired: false }))

const taking = (
  args: ReadonlyArray<ArgumentSyntax>,
  more: ReadonlyArray<OptionSyntax> = []
): Syntax => ({
  options: new Map([...OPTIONS, ...more].map((option) => [option.name, option])),
  arguments: args
})

const normalizedBy = (syntax: Syntax, ...typed: ReadonlyArray<string>) =>
  Either.merge(Either.map(normalizeArguments(syntax, typed), (all) => all.join(" ")))

const normalized = (...typed: ReadonlyArray<string>) =>
  normalizedBy(taking(optionalArguments(3)), ...typed)

describe("arguments are brought into one form", () => {
  it("with options first, and those of one name together", () => {
    expect(normalized("a", "--type", "x", "--json", "b", "--TYPE=y")).toBe(
      "--type x --type y --json true a b"
    )
  })

  it("a switch takes no value from the next argument", () => {
    expect(normalized("--json", "1")).toBe("--json true 1")
    expect(normalized("--json=FALSE")).toBe("--json FALSE")
    expect(normalized("--json=1")).toBe("--json takes no value, got '1'")
  })

  it("a value may be empty, may have = in it, and may look like an option where it can't be mistaken", () => {
    expect(normalized("--db=", "--type=a=b")).toBe("--db  --type a=b")
    expect(normalized("--db=--json")).toBe("--db --json")
    expect(normalized("--db", "-1")).toBe("--db -1")
    expect(normalized("--db", "--json")).toBe(
      "--db needs a value; to give it '--json', write --db=--json"
    )
    expect(normalized("--db")).toBe("--db needs a value")
  })

  it("a lone - is an argument, and so is what comes after --", () => {
    expect(normalized("-", "--json")).toBe("--json true -")
    expect(normalized("--json", "--", "--db", "--")).toBe("--json true --db --")
  })

  it("an option is given once, unless it may be repeated", () => {
    expect(normalized("--db", "a", "--db", "a")).toBe("--db is given twice; it can be given once")
    expect(normalized("--type", "a", "--type", "a")).toBe("--type a --type a")
  })

  it("an unknown option is named, with the one that was probably meant", () => {
    expect(normalized("--jsno")).toBe("there is no option --jsno; did you mean --json?")
    expect(normalized("-x")).toBe("there is no option -x")
    expect(normalized("--=x")).toContain("there is no option --;")
  })

  it("what a command needs and was not given is named, all at once", () => {
    const column = (name: string): OptionSyntax => ({
      name,
      value: "COLUMN",
      isRepeatable: false,
      isRequired: true
    })
    const list = taking(
      [{ name: "LIST.csv", isRequired: true }],
      [column("--name"), column("--category")]
    )
    expect(normalizedBy(list)).toBe("--name COLUMN, --category COLUMN and LIST.csv are needed")
    expect(normalizedBy(list, "-")).toBe("--name COLUMN and --category COLUMN are needed")
    expect(normalizedBy(list, "-", "--category", "a")).toBe("--name COLUMN is needed")
    expect(normalizedBy(list, "--NAME=a", "--category", "b")).toBe("LIST.csv is needed")
    expect(normalizedBy(list, "--name=a", "--category", "b", "-")).toBe("--name a --category b -")
  })

  it("an argument too many is named, with those that there may be", () => {
    const pair = [
      { name: "ID", isRequired: true },
      { name: "WHEN", isRequired: false }
    ]
    expect(normalizedBy(taking([]), "x")).toBe("it takes no arguments, got 'x'")
    expect(normalizedBy(taking(pair), "1", "2", "3", "4")).toBe(
      "it takes ID WHEN and no more, got '3'"
    )
    expect(normalizedBy(taking(pair), "1")).toBe("1")
    expect(normalizedBy(taking(pair), "1", "--", "--db")).toBe("1 --db")
  })

  it("asked for help, nothing else matters", () => {
    expect(normalized("--nope", "a", "--help")).toBe("--nope a --help")
    expect(normalized("--db", "x", "--", "--help")).toBe("--db x --help")
  })

  it("the arguments keep their order, wherever the options are", () => {
    const known = new Set(OPTIONS.map(({ name }) => name))
    const value = FastCheck.string().filter(
      (text) => !known.has(text.toLowerCase()) && !isBuiltIn(text)
    )
    const option = FastCheck.tuple(
      FastCheck.constantFrom("--type", "--TYPE"),
      value,
      FastCheck.boolean()
    )
    const argument = FastCheck.string().filter((text) => text === "-" || !text.startsWith("-"))
    const parts = FastCheck.array(FastCheck.oneof(option, argument))
    FastCheck.assert(
      FastCheck.property(parts, (all) => {
        const typed = all.flatMap((part) => {
          if (typeof part === "string") return [part]
          const [name, text, inline] = part
          return inline ? [`${name}=${text}`] : [name, text]
        })
        const types = all.flatMap((part) => (typeof part === "string" ? [] : ["--type", part[1]]))
        const rest = all.filter((part) => typeof part === "string")
        const syntax = taking(optionalArguments(rest.length))
        expect(normalizeArguments(syntax, typed)).toEqual(Either.right([...types, ...rest]))
      })
    )
  })

  it("a switch is found also where the rest can't be understood", () => {
    expect(hasSwitch(["--nope", "--JSON"], "--json")).toBe(true)
    expect(hasSwitch(["--json=true"], "--json")).toBe(true)
    expect(hasSwitch(["--json=false"], "--json")).toBe(false)
    expect(hasSwitch(["--", "--json"], "--json")).toBe(false)
  })
})
