import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { keyStanding } from "../../../src/access/key/KeyStanding.js"

const fresh = { expiresMs: null, revokedMs: null, disabled: false }
const tag = (
  key: typeof fresh | { expiresMs: number | null; revokedMs: number | null; disabled: boolean },
  nowMs: number
) =>
  Either.match(keyStanding(key, nowMs), {
    onLeft: (refusal) => refusal._tag,
    onRight: () => "usable"
  })

describe("keyStanding", () => {
  it("a key without dates is usable for ever", () => {
    expect(tag(fresh, 0)).toBe("usable")
    expect(tag(fresh, Number.MAX_SAFE_INTEGER)).toBe("usable")
  })

  it("a key is usable until the millisecond before it expires", () => {
    expect(tag({ ...fresh, expiresMs: 1_000 }, 999)).toBe("usable")
    expect(tag({ ...fresh, expiresMs: 1_000 }, 1_000)).toBe("ExpiredKey")
  })

  it("a key that is being rotated out works during the overlap and not after it", () => {
    expect(tag({ ...fresh, revokedMs: 5_000 }, 4_999)).toBe("usable")
    expect(tag({ ...fresh, revokedMs: 5_000 }, 5_000)).toBe("RevokedKey")
  })

  it("what can't be undone is said first", () => {
    expect(tag({ revokedMs: 1, expiresMs: 1, disabled: true }, 2)).toBe("RevokedKey")
    expect(tag({ revokedMs: 3, expiresMs: 1, disabled: true }, 2)).toBe("ExpiredKey")
    expect(tag({ revokedMs: 3, expiresMs: 3, disabled: true }, 2)).toBe("KeyDisabled")
  })
})
