import { describe, expect, it } from "vitest"
import { forwardedAddress } from "../../src/fields/forwardedAddress.js"

describe("Address", () => {
  it("is the socket's, whatever X-Forwarded-For claims, unless proxies are trusted", () => {
    expect(forwardedAddress("10.0.0.1", "1.2.3.4", 0)).toBe("10.0.0.1")
    expect(forwardedAddress("10.0.0.1", undefined, 1)).toBe("10.0.0.1")
  })

  it("is the nth from the right with n trusted proxies", () => {
    expect(forwardedAddress("10.0.0.1", "6.6.6.6, 1.2.3.4", 1)).toBe("1.2.3.4")
    expect(forwardedAddress("10.0.0.1", "6.6.6.6, 1.2.3.4,10.0.0.2", 2)).toBe("1.2.3.4")
    expect(forwardedAddress("10.0.0.1", "1.2.3.4", 3)).toBe("1.2.3.4")
  })

  it("is read without brackets and port, and is the socket's where the entry is no address", () => {
    expect(forwardedAddress("10.0.0.1", "[2001:db8::1]:443", 1)).toBe("2001:db8::1")
    expect(forwardedAddress("10.0.0.1", "1.2.3.4:80", 1)).toBe("1.2.3.4")
    expect(forwardedAddress("10.0.0.1", "unknown", 1)).toBe("10.0.0.1")
    expect(forwardedAddress("10.0.0.1", "", 1)).toBe("10.0.0.1")
  })
})
