import { randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import { describe, expect, it } from "vitest"
import { isKeyText, KEY_LENGTH, keyStart, keyText } from "../../../src/access/key/KeyText.js"

const counting = (): ((count: number) => Uint8Array) => {
  let next = 0
  return (count) => Uint8Array.from({ length: count }, () => next++ % 256)
}

const base62 = (text: string): number =>
  Array.from(text).reduce(
    (sum, digit) =>
      sum * 62 + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(digit),
    0
  )

describe("KeyText", () => {
  it("a key is ps_, 32 base62 characters and the CRC-32 of all that in six", () => {
    for (let round = 0; round < 200; round++) {
      const text = keyText(randomBytes)
      expect(text).toMatch(/^ps_[0-9A-Za-z]{38}$/)
      expect(text).toHaveLength(KEY_LENGTH)
      expect(isKeyText(text)).toBe(true)
      expect(base62(text.slice(-6))).toBe(crc32(text.slice(0, -6)))
    }
  })

  it("any one character changed makes it junk", () => {
    const text = keyText(randomBytes)
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === "0" ? "1" : "0"
      expect(isKeyText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false)
    }
  })

  it("nothing around a key is overlooked", () => {
    const text = keyText(randomBytes)
    for (const junk of [
      "",
      " ",
      `${text} `,
      ` ${text}`,
      `${text}\n`,
      text.slice(1),
      text + text,
      "é".repeat(41),
      "x".repeat(1e6)
    ]) {
      expect(isKeyText(junk)).toBe(false)
    }
  })

  it("bytes that would favour some characters are thrown away", () => {
    const unfair = Uint8Array.from([248, 255, 250, 61])
    expect(
      keyText((count) => Uint8Array.from({ length: count }, (_, at) => unfair[at % 4] ?? 0))
    ).toMatch(/^ps_z{32}/)
  })

  it("the same bytes give the same key", () => {
    expect(keyText(counting())).toBe(keyText(counting()))
  })

  it("a source that is not random is a defect, not an endless loop", () => {
    expect(() => keyText((count) => new Uint8Array(count).fill(255))).toThrow("not random")
  })

  it("a key is shown by its first eight characters", () => {
    expect(keyStart("ps_abcdefgh")).toBe("ps_abcde")
  })
})
