import { describe, expect, it } from "vitest"
import { accountKey, addressKey } from "../../src/limit/addressKey.js"

describe("addressKey", () => {
  it.each([
    ["192.0.2.1", "address:192.0.2.1"],
    ["::ffff:192.0.2.1", "address:192.0.2.1"],
    ["::FFFF:c000:0201", "address:192.0.2.1"],
    ["0:0:0:0:0:ffff:192.0.2.1", "address:192.0.2.1"],
    ["2001:db8:0:1::5", "address:2001:db8:0:1::/64"],
    ["2001:0DB8:0000:0001:ffff:ffff:ffff:ffff", "address:2001:db8:0:1::/64"],
    ["2001:db8:0:2::5", "address:2001:db8:0:2::/64"],
    ["::1", "address:0:0:0:0::/64"],
    ["::", "address:0:0:0:0::/64"],
    ["fe80::1%eth0", "address:fe80:0:0:0::/64"],
    ["1::", "address:1:0:0:0::/64"],
    ["64:ff9b::192.0.2.1", "address:64:ff9b:0:0::/64"]
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
    expect(addressKey(junk)).toBe("address:unknown")
  })

  it("accounts are counted apart from addresses", () => {
    expect(accountKey(7)).toBe("account:7")
  })
})
