import { describe, expect, it } from "vitest"
import { BodyChunks } from "../../src/node/BodyChunks.js"

describe("BodyChunks", () => {
  it("are the bytes in order, however many there were", () => {
    for (const count of [0, 1, 2, 255, 256, 257, 1_000]) {
      const chunks = new BodyChunks()
      const sent = Buffer.from(Array.from({ length: count }, (_, at) => at % 251))
      for (const byte of sent) chunks.add(Buffer.from([byte]))
      expect([chunks.size, chunks.concat().equals(sent)]).toEqual([count, true])
    }
  })

  it("a single one is not copied", () => {
    const chunks = new BodyChunks()
    const chunk = Buffer.from("hello")
    chunks.add(chunk)
    expect(chunks.concat()).toBe(chunk)
  })
})
