import { backoffMs, DEFAULT_BACKOFF } from "@petstore/core"
import { describe, expect, test } from "vitest"
import { Patience } from "../../src/import/Patience.js"
import { virtualTime } from "./virtualTime.js"

const reply = (status: number, retryAfter?: string) => ({ status, retryAfter, link: undefined, body: "" })
const patient = (maxWaitMs = 300_000, random = 0) => {
  const time = virtualTime(random)
  const waits: Array<string> = []
  const cancel = new AbortController()
  const patience = new Patience(time, cancel.signal, maxWaitMs, (ms, why) => waits.push(`${ms} ${why}`))
  return { time, waits, cancel, patience }
}

describe("patience", () => {
  test("sends nothing before Retry-After is over, and then at once", async () => {
    const { time, patience, waits } = patient()
    expect(patience.putsOff(reply(429, "7"))).toBe(true)
    await patience.turn()
    expect(time.nowMs()).toBe(7_000)
    expect(waits).toEqual(["7000 the rate limit is reached"])
  })

  test.each([
    "Thu, 01 Jan 1970 00:00:09 GMT",
    "Thursday, 01-Jan-70 00:00:09 GMT",
    "Thu Jan  1 00:00:09 1970"
  ])("sends nothing before the date of a Retry-After: %s", async (date) => {
    const { time, patience } = patient()
    expect(patience.putsOff(reply(503, date))).toBe(true)
    await patience.turn()
    expect(time.nowMs()).toBe(9_000)
  })

  test("spreads the moments after a wait, never to before its end", async () => {
    const { time, patience } = patient(300_000, 0.5)
    patience.putsOff(reply(503, "2"))
    await patience.turn()
    expect(time.nowMs()).toBe(2_000 + DEFAULT_BACKOFF.spreadMs / 2)
  })

  test("takes the longest of the waits that many requests were told", async () => {
    const { time, patience } = patient()
    patience.putsOff(reply(429, "3"))
    patience.putsOff(reply(429, "20"))
    patience.putsOff(reply(429, "1"))
    await patience.turn()
    expect(time.nowMs()).toBe(20_000)
  })

  test("waits out a ban, but does not take another 403 for one", async () => {
    const { time, patience } = patient()
    expect(patience.putsOff(reply(403))).toBe(false)
    expect(patience.putsOff(reply(403, "120"))).toBe(true)
    await patience.turn()
    expect(time.nowMs()).toBe(120_000)
  })

  test("lets any other reply through", () => {
    const { patience } = patient()
    expect(
      [200, 201, 400, 401, 404, 422, 500, 507].filter((status) => patience.putsOff(reply(status)))
    ).toEqual([])
  })

  test("stops the import rather than wait longer than it may, and says how long", () => {
    const { patience } = patient(60_000)
    expect(() => patience.putsOff(reply(429, "25500"))).toThrow("asks to wait 7 h 5 min")
  })

  test("waits longer and longer where the service says nothing, and gives up in the end", async () => {
    const { time, patience } = patient()
    patience.worked()
    for (let setback = 0; setback < 12; setback++) {
      patience.setback("the connection broke")
      await patience.turn()
    }
    expect(time.nowMs()).toBeGreaterThan(30_000)
    expect(time.nowMs()).toBeLessThan(120_000)
    expect(() => patience.setback("the connection broke")).toThrow("the connection broke (tried 13 times)")
  })

  test("waits as any polite caller does where the service says nothing", async () => {
    const { patience, waits } = patient(300_000, 0.5)
    patience.worked()
    for (let setback = 0; setback < 12; setback++) {
      patience.setback("broken")
      await patience.turn()
    }
    const polite = (attempt: number) => backoffMs(attempt, undefined, () => 0.5)
    expect(waits).toEqual(Array.from({ length: 12 }, (_, at) => `${polite(at + 1)} broken`))
  })

  test("gives up soon where nothing has ever worked", async () => {
    const { time, patience } = patient()
    for (let setback = 0; setback < 4; setback++) {
      patience.setback("nothing listens there")
      await patience.turn()
    }
    expect(() => patience.setback("nothing listens there")).toThrow("nothing listens there")
    expect(time.nowMs()).toBeLessThan(5_000)
  })

  test("starts anew once something has worked", async () => {
    const { patience } = patient()
    for (let setback = 0; setback < 100; setback++) {
      patience.worked()
      patience.setback("the connection broke")
      await patience.turn()
    }
  })

  test("ends as soon as the import is to stop, even within a wait", async () => {
    const { patience, cancel } = patient()
    cancel.abort()
    await expect(patience.turn()).rejects.toThrow()
  })
})
