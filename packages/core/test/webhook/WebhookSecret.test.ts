import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { secretMark, webhookSalt, webhookSecret } from "../../src/webhook/WebhookSecret.js"

describe("the secret of an endpoint", () => {
  it("is made of the host's secret, the salt and the generation, and is a Standard Webhooks secret of 256 bits", () => {
    const expected = createHmac("sha256", "hosts")
      .update("petstore webhook\nsalt\n1")
      .digest("base64")
    expect(webhookSecret("hosts", "salt", 1)).toBe(`whsec_${expected}`)
    expect(Buffer.from(expected, "base64")).toHaveLength(32)
  })

  it("is another one for another host, salt or generation", () => {
    const secrets = [
      webhookSecret("hosts", "salt", 1),
      webhookSecret("other", "salt", 1),
      webhookSecret("hosts", "pepper", 1),
      webhookSecret("hosts", "salt", 2)
    ]
    expect(new Set(secrets).size).toBe(4)
    expect(new Set(secrets.map(secretMark)).size).toBe(4)
  })

  it("has a salt of 24 random bytes", () =>
    expect(webhookSalt((count) => new Uint8Array(count).fill(171))).toBe("ab".repeat(24)))
})
