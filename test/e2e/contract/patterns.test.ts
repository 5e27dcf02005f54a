/** The document's patterns say the same in every language that has an engine here. */
import { openApiDocument } from "@petstore/http-adapter"
import { describe, expect, it } from "vitest"
import { ENGINES, isThere, runIn } from "./regexEngines.js"

const patternsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
        name === "pattern" && typeof member === "string" ? [member] : patternsIn(member)
      )

const PATTERNS = [...new Set(patternsIn(openApiDocument()))]

/**
 * Every kind of blank, characters that only some languages count as one, and the edges of ranges.
 */
const CHARACTERS = Array.from(
  '\u0000\u0001\u0008\t\n\u000b\f\r\u000e\u001f !"#$*,-./09:@AZ[\\]^_`az{|}~\u007f\u0080\u0085\u009f\u00a0\u00a1\u00ff' +
    "\u0100\u167f\u1680\u1681\u180e\u1fff\u2000\u200a\u200b\u2027\u2028\u2029\u202a\u202e\u202f\u205f\u2060\u2fff\u3000\u3001" +
    "\ufefe\ufeff\uffff\u{1f436}\u{10ffff}"
)

const WORDS = [
  "",
  "Rex",
  " Rex ",
  "R\u0000x",
  "\t\n Rex",
  "\u3000\ufeff",
  "1",
  "1.0.0",
  "1.2.3.4",
  "@1785542400",
  '"1-2"',
  '"1-2-gzip"',
  'W/"a", "b"',
  "*",
  "3f9xk2-41",
  "3f9xk2-041",
  "a_b-c",
  "x".repeat(255),
  "x".repeat(256)
]

// A line break at the end is left out: in most languages `$` matches before it, too.
const TEXTS = [...WORDS, ...CHARACTERS, ...CHARACTERS.map((each) => `a${each}b`)].filter(
  (text) => !text.endsWith("\n")
)

const PAIRS = PATTERNS.flatMap((pattern) => TEXTS.map((text) => [pattern, text] as const))

const wrongIn = (answers: string) =>
  PAIRS.flatMap(([pattern, text], at) => {
    const expected = new RegExp(pattern, "u").test(text) ? "1" : "0"
    return answers[at] === expected ? [] : [{ pattern, text, expected, got: answers[at] }]
  })

describe("every pattern of the document says the same as in JavaScript", () => {
  for (const engine of ENGINES) {
    const there = isThere(engine)
    it.skipIf(!there)(
      `in ${engine.name}${there ? "" : ", which is not installed here"}`,
      { timeout: 300_000 },
      () => {
        expect(wrongIn(runIn(engine, PAIRS))).toEqual([])
      }
    )
  }

  it("is in ASCII but for single characters above U+00FF, without escapes that only some know", () => {
    for (const pattern of PATTERNS) {
      expect(pattern).not.toMatch(/\\[^x.*]|\\x(?![0-9a-f]{2})|[\u0080-\u00ff]|\(\?/)
    }
  })
})
