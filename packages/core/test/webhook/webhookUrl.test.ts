import { describe, expect, it } from "vitest"
import { urlProblem } from "../../src/webhook/webhookUrl.js"

const STRICT = { allowHttp: false, allowPrivateAddresses: false }
const LOOSE = { allowHttp: true, allowPrivateAddresses: true }

describe("the URL of an endpoint", () => {
  it("is any URL of https with a public name or address", () => {
    for (const url of [
      "https://shop.example/hooks?from=pets",
      "https://shop.example:8443/",
      "HTTPS://Shop.Example",
      "https://1.1.1.1/",
      "https://[2606:4700::1111]/"
    ])
      expect(urlProblem(url, STRICT)).toBeUndefined()
  })

  it.each([
    "http://shop.example/",
    "ftp://shop.example/",
    "javascript:alert(1)",
    "shop.example/hooks",
    "",
    "https://",
    "https://user@shop.example/",
    "https://user:pass@shop.example/",
    "https://shop.example/#part",
    "https://shop.example/\nhooks",
    `https://shop.example/${"x".repeat(2_000)}`
  ])("is refused where it is %s", (url) => expect(urlProblem(url, STRICT)).toBeDefined())

  it.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://0x7f.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://①②⑦.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[fd00::1]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://shop.localhost/"
  ])("is refused where it names a private address, as %s does, unless that is allowed", (url) => {
    expect(urlProblem(url, STRICT)).toContain("public address")
    expect(urlProblem(url, LOOSE)).toBeUndefined()
  })

  it("is refused with credentials whatever is allowed", () =>
    expect(urlProblem("http://user:pass@127.0.0.1/", LOOSE)).toContain("password"))
})
