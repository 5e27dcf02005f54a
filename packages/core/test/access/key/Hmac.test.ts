import { createHmac } from "node:crypto"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { hmacSha256 } from "../../../src/access/key/Hmac.js"

const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 200 })

describe("HMAC-SHA-256", () => {
  it("is what the platform makes of any key and message", () => {
    fc.assert(
      fc.property(bytes, bytes, (key, message) => {
        const platform = createHmac("sha256", Uint8Array.from(key)).update(Uint8Array.from(message))
        expect(Buffer.from(hmacSha256(key, message)).toString("hex")).toBe(platform.digest("hex"))
      })
    )
  })
})
