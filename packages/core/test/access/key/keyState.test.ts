import { expect, it } from "vitest"
import { keyState } from "../../../src/access/key/keyState.js"

const AT_MS = Date.UTC(2026, 0, 31, 12)
const at = "2026-01-31T12:00:00Z"

it.each([
  [{ disabled: false }, "active", "active"],
  [{ disabled: true }, "disabled", "disabled"],
  [{ disabled: false, expiresAt: at }, "active", "expired"],
  [{ disabled: false, revokedAt: at }, "active", "revoked"],
  [{ disabled: true, revokedAt: at }, "disabled", "revoked"],
  [{ disabled: true, expiresAt: at, revokedAt: at }, "disabled", "revoked"],
  // An end that an earlier version has stored.
  [{ disabled: false, expiresAt: "0000-12-31T00:00:00Z" }, "expired", "expired"]
])("a key %j is %s until a millisecond before noon, and %s from noon on", (key, before, after) => {
  expect([keyState(key, AT_MS - 1), keyState(key, AT_MS)]).toEqual([before, after])
})
