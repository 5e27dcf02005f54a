import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Entropy } from "../../../src/access/key/Entropy.js"
import { keyText } from "../../../src/access/key/KeyText.js"

const issued = Effect.map(Entropy, (entropy) => keyText(entropy.randomBytes))

describe("Entropy", () => {
  it("without being provided, it is the platform's, and no two keys are alike", () => {
    expect(Effect.runSync(issued)).not.toBe(Effect.runSync(issued))
  })

  it("a test engine provides its own and gets the keys it expects", () => {
    const zeros = { randomBytes: (count: number) => new Uint8Array(count) }
    expect(Effect.runSync(Effect.provideService(issued, Entropy, zeros))).toMatch(/^ps_0{32}/)
  })
})
