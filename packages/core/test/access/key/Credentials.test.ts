import { randomBytes } from "node:crypto"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { type CredentialHeaders, keyOf } from "../../../src/access/key/Credentials.js"
import { keyText } from "../../../src/access/key/KeyText.js"

const key = keyText(randomBytes)
const other = keyText(randomBytes)

const answer = (headers: Partial<CredentialHeaders>): string =>
  Either.match(keyOf({ apiKey: [], authorization: [], ...headers }), {
    onLeft: (refusal) => refusal._tag,
    onRight: (text) => text
  })

describe("keyOf", () => {
  it("takes the key from either header, or the same one from both", () => {
    expect(answer({ apiKey: [key] })).toBe(key)
    expect(answer({ authorization: [`Bearer ${key}`] })).toBe(key)
    expect(answer({ authorization: [`bEARER  ${key}`] })).toBe(key)
    expect(answer({ apiKey: [key], authorization: [`Bearer ${key}`] })).toBe(key)
  })

  it("says that a key is missing only when neither header is there", () => {
    expect(answer({})).toBe("MissingKey")
    expect(answer({ apiKey: [""] })).toBe("InvalidKey")
    expect(answer({ authorization: [""] })).toBe("InvalidKey")
  })

  it("two different keys conflict", () => {
    expect(answer({ apiKey: [key], authorization: [`Bearer ${other}`] })).toBe("ConflictingKeys")
  })

  it("a doubled header is refused, also with the same key twice, also when someone joined it", () => {
    expect(answer({ apiKey: [key, key] })).toBe("InvalidKey")
    expect(answer({ authorization: [`Bearer ${key}`, `Bearer ${key}`] })).toBe("InvalidKey")
    expect(answer({ apiKey: [`${key}, ${other}`] })).toBe("InvalidKey")
  })

  it.each([
    " ",
    "ps_",
    `${key} `,
    `${key.slice(0, -1)}-`,
    key.toLowerCase(),
    `ps_${"é".repeat(38)}`,
    "x".repeat(1_000_000)
  ])("refuses %.50j", (junk) => {
    expect(answer({ apiKey: [junk] })).toBe("InvalidKey")
    expect(answer({ authorization: [`Bearer ${junk}x`] })).toBe("InvalidKey")
  })

  it.each([`Basic ${key}`, key, `Bearer${key}`, "Bearer", `Bearer ${key} ${key}`, `Token ${key}`])(
    "another scheme than Bearer is no key: %s",
    (value) => {
      expect(answer({ authorization: [value] })).toBe("InvalidKey")
    }
  )

  it("no refusal repeats what was sent", () => {
    for (const authorization of [[`Bearer ${key}x`], [`Bearer ${other}`]]) {
      const refused = Either.flip(keyOf({ apiKey: [key], authorization }))
      expect(JSON.stringify(refused) + String(Either.getOrThrow(refused))).not.toContain(
        key.slice(3)
      )
    }
  })
})
