import { createHash } from "node:crypto"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { sha256 } from "../../../src/access/key/Sha256.js"

const platform = (text: string): string =>
  createHash("sha256").update(text.toWellFormed()).digest("hex")

describe("sha256", () => {
  it("gives the digests of the standard's examples", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    expect(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    )
  })

  it("agrees with the platform at every length around a block, whatever was hashed before", () => {
    for (let length = 0; length < 200; length++) {
      const text = "y".repeat(length)
      expect(sha256(text)).toBe(platform(text))
    }
  })

  it("agrees with the platform on any text, lone surrogates as U+FFFD", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 150 }),
        (text) => sha256(text) === platform(text)
      )
    )
    expect(sha256("\ud800é€😀")).toBe(platform("\ud800é€😀"))
  })
})
