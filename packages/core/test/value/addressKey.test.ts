import { describe, expect, it } from "vitest"
import { addressKey } from "../../src/value/addressKey.js"

describe("addressKey", () => {
  it.each([
    ["192.0.2.1", 192 * 2 ** 24 + 2 * 256 + 1 - 2 ** 32],
    ["::ffff:192.0.2.1", 192 * 2 ** 24 + 2 * 256 + 1 - 2 ** 32],
    ["::FFFF:c000:0201", 192 * 2 ** 24 + 2 * 256 + 1 - 2 ** 32],
    ["0:0:0:0:0:ffff:192.0.2.1", 192 * 2 ** 24 + 2 * 256 + 1 - 2 ** 32],
    ["2001:db8:0:1::5", "2001:db8:0:1"],
    ["2001:0DB8:0000:0001:ffff:ffff:ffff:ffff", "2001:db8:0:1"],
    ["2001:db8:0:2::5", "2001:db8:0:2"],
    ["::1", "0:0:0:0"],
    ["::", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["1::", "1:0:0:0"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0"]
  ])("%s is %s", (address, key) => {
    expect(addressKey(address)).toBe(key)
  })

  it.each([
    "",
    "unknown",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.01",
    "192.0.2.1.",
    "192.0.2.1:80",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "::1::",
    ":1:2:3:4:5:6:7",
    "1.2.3.4::",
    "12345::",
    "g::",
    "%eth0",
    "x".repeat(1_000_000)
  ])("no address shares one key: %.30s", (junk) => {
    expect(addressKey(junk)).toBe("unknown")
  })

  it("addresses that differ in any of their 32 bits are counted apart", () => {
    const addresses = [
      "0.0.0.1",
      "0.0.1.0",
      "0.1.0.0",
      "1.0.0.0",
      "127.255.255.255",
      "128.0.0.0",
      "255.255.255.255"
    ]
    expect(new Set(addresses.map(addressKey)).size).toBe(addresses.length)
  })
})
