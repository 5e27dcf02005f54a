import { describe, expect, it } from "vitest"
import { isPublicAddress } from "../../src/webhook/publicAddress.js"

const PUBLIC = [
  "1.1.1.1",
  "93.184.216.34",
  "172.15.255.255",
  "172.32.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "192.167.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
  "::ffff:1.1.1.1",
  "::ffff:101:101",
  "64:ff9b::1.1.1.1",
  "2002:101:101::1"
]

const NOT_PUBLIC = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.255",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.168.1.1",
  "198.19.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "168.63.129.16",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:169.254.169.254",
  "::ffff:0:127.0.0.1",
  "::127.0.0.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b:1::1",
  "2002:7f00:1::",
  "2002:a9fe:a9fe::1",
  "2001::1",
  "2001:db8::1",
  "3fff::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "100::1",
  "shop.example",
  ""
]

describe("an address", () => {
  it.each(PUBLIC)("%s is public", (address) => expect(isPublicAddress(address)).toBe(true))
  it.each(NOT_PUBLIC)("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false))
})
