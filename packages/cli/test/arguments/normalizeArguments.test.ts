import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { hasSwitch, isBuiltIn, normalizeArguments } from "../../src/arguments/normalizeArguments.js"
import type { OptionSyntax } from "../../src/arguments/OptionSyntax.js"

const OPTIONS: ReadonlyArray<OptionSyntax> = [
  { name: "--db", takesValue: true, repeatable: false },
  { name: "--type", takesValue: true, repeatable: true },
  { name: "--json", takesValue: false, repeatable: false }
]

const syntax = new Map(OPTIONS.map((option) => [option.name, option]))

const normalized = (...typed: ReadonlyArray<string>) =>
  Either.merge(Either.map(normalizeArguments(syntax, typed), (all) => all.join(" ")))

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
    expect(normalized("--db", "--json")).toBe("--db needs a value; to give it '--json', write --db=--json")
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

  it("asked for help, nothing else matters", () => {
    expect(normalized("--nope", "a", "--help")).toBe("--nope a --help")
    expect(normalized("--db", "x", "--", "--help")).toBe("--db x --help")
  })

  it("wherever the options stand, the arguments stay in their order", () => {
    const value = FastCheck.string().filter((text) => !syntax.has(text.toLowerCase()) && !isBuiltIn(text))
    const option = FastCheck.tuple(FastCheck.constantFrom("--type", "--TYPE"), value, FastCheck.boolean())
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
