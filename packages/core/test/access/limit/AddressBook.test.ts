import { describe, expect, it } from "vitest"
import { makeAddressBook } from "../../../src/access/limit/AddressBook.js"
import { DEFAULT_BAN_POLICY } from "../../../src/access/limit/Ban.js"

const NOON_MS = Date.UTC(2026, 0, 31, 12)
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const free = { perMinute: 60, perDay: 1_000 }

const book = (maxAddresses?: number) => makeAddressBook(DEFAULT_BAN_POLICY, maxAddresses)
/** The nth of as many IPv4 addresses as there are, or of IPv6 networks. */
const ipv4 = (nth: number): string => `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`
const ipv6 = (nth: number): string =>
  `2001:db8:${(nth >> 16).toString(16)}:${(nth & 0xffff).toString(16)}::1`

describe("AddressBook", () => {
  it("counts each address by itself, in both windows, and an IPv6 network as one", () => {
    const { admit, headers } = book()
    for (let request = 0; request < 60; request++) {
      const address = `2001:db8::${request.toString(16)}`
      expect(admit(address, free, NOON_MS).headers.remaining).toBe(59 - request)
    }
    expect(admit("2001:db8::ffff", free, NOON_MS)).toMatchObject({
      _tag: "RateLimited",
      retryAfterSeconds: 60
    })
    expect(headers("2001:db8:0:1::1", free, NOON_MS).remaining).toBe(60)
    expect(admit("192.0.2.1", free, NOON_MS).headers.remaining).toBe(59)
    expect(admit("::ffff:192.0.2.1", free, NOON_MS).headers.remaining).toBe(58)
  })

  it("admits a thousand requests a day, however they are spread over minutes", () => {
    const { admit } = book()
    const admitted = Array.from({ length: 1_200 }, (_, nth) =>
      admit("192.0.2.1", free, NOON_MS + Math.floor(nth / 50) * MINUTE_MS)
    ).filter(({ _tag }) => _tag === "Admitted")
    expect(admitted).toHaveLength(1_000)
  })

  it("bans an address that keeps sending after a 429, and doubles the next ban of the day", () => {
    const { admit } = book()
    const tiny = { perMinute: 1, perDay: 1_000 }
    const provoke = (fromMs: number) => {
      for (let second = 0; second < 11; second++)
        admit("192.0.2.1", tiny, fromMs + second * SECOND_MS)
      return admit("192.0.2.1", tiny, fromMs + 11 * SECOND_MS)
    }
    expect(provoke(NOON_MS)).toMatchObject({ _tag: "KeyBanned", retryAfterSeconds: 120 })
    expect(admit("192.0.2.1", tiny, NOON_MS + 130 * SECOND_MS)).toMatchObject({ _tag: "KeyBanned" })
    expect(admit("192.0.2.1", tiny, NOON_MS + 131 * SECOND_MS)._tag).toBe("Admitted")
    expect(provoke(NOON_MS + 10 * MINUTE_MS)).toMatchObject({
      _tag: "KeyBanned",
      retryAfterSeconds: 240
    })
    expect(provoke(NOON_MS + 20 * MINUTE_MS)).toMatchObject({
      _tag: "KeyBanned",
      retryAfterSeconds: 480
    })
  })

  it("looking at an address remembers nothing of it", () => {
    const { headers, liveAddresses } = book()
    for (let nth = 0; nth < 100; nth++) headers(ipv4(nth), free, NOON_MS)
    expect(liveAddresses()).toBe(0)
  })

  it.each([
    ["IPv4", ipv4],
    ["IPv6", ipv6]
  ])(
    "a flood of %s addresses takes no more room than the bound, and none once the day is over",
    (_, address) => {
      const { admit, liveAddresses } = book(5_000)
      for (let nth = 0; nth < 100_000; nth++) admit(address(nth), free, NOON_MS)
      expect(liveAddresses()).toBeLessThanOrEqual(5_000)
      admit("192.0.2.1", free, NOON_MS + DAY_MS)
      expect(liveAddresses()).toBe(1)
    }
  )

  it("a flood of other addresses does not lift the limit of one that keeps sending", () => {
    const { admit } = book(1_000)
    for (let request = 0; request < 61; request++) admit("192.0.2.1", free, NOON_MS)
    for (let nth = 0; nth < 20_000; nth++) {
      admit(ipv4(nth), free, NOON_MS)
      if (nth % 400 === 0) expect(admit("192.0.2.1", free, NOON_MS)._tag).not.toBe("Admitted")
    }
  })

  it("a ban outlives the day, and a clock that steps back over midnight lifts no ban", () => {
    const MIDNIGHT_MS = NOON_MS + DAY_MS / 2
    const { admit } = book()
    for (let second = 0; second < 20; second++)
      admit(
        "192.0.2.1",
        { perMinute: 1, perDay: 9 },
        MIDNIGHT_MS - 30 * SECOND_MS + second * SECOND_MS
      )
    expect(admit("192.0.2.1", free, MIDNIGHT_MS + SECOND_MS)._tag).toBe("KeyBanned")

    const once = { perMinute: 9, perDay: 1 }
    expect(admit("192.0.2.2", once, MIDNIGHT_MS + 70 * SECOND_MS)._tag).toBe("Admitted")
    for (const stepMs of [-3, -60, -3_600].map((seconds) => seconds * SECOND_MS))
      expect(admit("192.0.2.2", once, MIDNIGHT_MS + stepMs)._tag).not.toBe("Admitted")
  })

  it("a clock that leaves a minute or a day and returns finds it as used as it left it, though the day was over meanwhile", () => {
    for (const awayMs of [-3_600, 3_600, 86_400].map((seconds) => seconds * SECOND_MS)) {
      const { admit } = book()
      for (let request = 0; request < 60; request++) admit("192.0.2.1", free, NOON_MS)
      admit("192.0.2.1", free, NOON_MS + awayMs)
      expect(admit("192.0.2.1", free, NOON_MS + SECOND_MS)._tag).toBe("RateLimited")
      expect(
        admit("192.0.2.1", { perMinute: 90, perDay: 60 }, NOON_MS + 2 * SECOND_MS)
      ).toMatchObject({
        _tag: "RateLimited",
        headers: { window: "day" }
      })
    }
  })
})
