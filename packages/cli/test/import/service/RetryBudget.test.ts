import { backoffMs, DEFAULT_BACKOFF } from "@petstore/core"
import { petStoreClient, UnexpectedAnswer } from "@petstore/http-adapter/client"
import { describe, expect, test } from "vitest"
import { RetryBudget } from "../../../src/import/service/RetryBudget.js"
import { virtualTime } from "../virtualTime.js"

const refusal = (status: number, retryAfterSeconds?: number) => ({ status, retryAfterSeconds })
const budgetOf = (maxWaitMs = 300_000, random = 0) => {
  const time = virtualTime(random)
  const waits: Array<string> = []
  const cancel = new AbortController()
  const retryBudget = new RetryBudget(time, cancel.signal, maxWaitMs, (ms, why) =>
    waits.push(`${ms} ${why}`)
  )
  return { time, waits, cancel, retryBudget }
}

describe("a retry budget", () => {
  test("sends nothing before Retry-After is over, and then at once", async () => {
    const { time, retryBudget, waits } = budgetOf()
    expect(retryBudget.postpones(refusal(429, 7))).toBe(true)
    await retryBudget.ready()
    expect(time.nowMs()).toBe(7_000)
    expect(waits).toEqual(["7000 the rate limit is reached"])
  })

  test.each([
    "Thu, 01 Jan 1970 00:00:09 GMT",
    "Thursday, 01-Jan-70 00:00:09 GMT",
    "Thu Jan  1 00:00:09 1970"
  ])("sends nothing before the date of a Retry-After: %s", async (date) => {
    const { time, retryBudget } = budgetOf()
    const header = (name: string) => (name === "retry-after" ? date : null)
    const client = petStoreClient({
      transport: () => Promise.resolve({ status: 503, header, text: "" }),
      key: "ps_key",
      tries: 1,
      nowMs: time.nowMs
    })
    const refused: unknown = await client.pets.list().catch((cause: unknown) => cause)
    expect(refused).toBeInstanceOf(UnexpectedAnswer)
    expect(refused instanceof UnexpectedAnswer && retryBudget.postpones(refused)).toBe(true)
    await retryBudget.ready()
    expect(time.nowMs()).toBe(9_000)
  })

  test("spreads the moments after a wait, never to before its end", async () => {
    const { time, retryBudget } = budgetOf(300_000, 0.5)
    retryBudget.postpones(refusal(503, 2))
    await retryBudget.ready()
    expect(time.nowMs()).toBe(2_000 + DEFAULT_BACKOFF.spreadMs / 2)
  })

  test("waits for the longest Retry-After of many requests", async () => {
    const { time, retryBudget } = budgetOf()
    retryBudget.postpones(refusal(429, 3))
    retryBudget.postpones(refusal(429, 20))
    retryBudget.postpones(refusal(429, 1))
    await retryBudget.ready()
    expect(time.nowMs()).toBe(20_000)
  })

  test("waits out a ban, but does not take another 403 for one", async () => {
    const { time, retryBudget } = budgetOf()
    expect(retryBudget.postpones(refusal(403))).toBe(false)
    expect(retryBudget.postpones(refusal(403, 120))).toBe(true)
    await retryBudget.ready()
    expect(time.nowMs()).toBe(120_000)
  })

  test("lets any other reply through", () => {
    const { retryBudget } = budgetOf()
    expect(
      [200, 201, 400, 401, 404, 422, 500, 507].filter((status) =>
        retryBudget.postpones(refusal(status))
      )
    ).toEqual([])
  })

  test("stops the import rather than wait longer than it may, and says how long", () => {
    const { retryBudget } = budgetOf(60_000)
    expect(() => retryBudget.postpones(refusal(429, 25_500))).toThrow("asks to wait 7 h 5 min")
  })

  test("waits longer and longer where the service says nothing, and gives up in the end", async () => {
    const { time, retryBudget } = budgetOf()
    retryBudget.succeeded()
    for (let setback = 0; setback < 12; setback++) {
      retryBudget.failed("the connection broke")
      await retryBudget.ready()
    }
    expect(time.nowMs()).toBeGreaterThan(30_000)
    expect(time.nowMs()).toBeLessThan(120_000)
    expect(() => retryBudget.failed("the connection broke")).toThrow(
      "the connection broke (tried 13 times)"
    )
  })

  test("waits as any polite caller does where the service says nothing", async () => {
    const { retryBudget, waits } = budgetOf(300_000, 0.5)
    retryBudget.succeeded()
    for (let setback = 0; setback < 12; setback++) {
      retryBudget.failed("broken")
      await retryBudget.ready()
    }
    const polite = (attempt: number) => backoffMs(attempt, undefined, () => 0.5)
    expect(waits).toEqual(Array.from({ length: 12 }, (_, at) => `${polite(at + 1)} broken`))
  })

  test("gives up soon where nothing has ever worked", async () => {
    const { time, retryBudget } = budgetOf()
    for (let setback = 0; setback < 4; setback++) {
      retryBudget.failed("nothing listens there")
      await retryBudget.ready()
    }
    expect(() => retryBudget.failed("nothing listens there")).toThrow("nothing listens there")
    expect(time.nowMs()).toBeLessThan(5_000)
  })

  test("starts anew once something has worked", async () => {
    const { retryBudget } = budgetOf()
    for (let setback = 0; setback < 100; setback++) {
      retryBudget.succeeded()
      retryBudget.failed("the connection broke")
      await retryBudget.ready()
    }
  })

  test("ends as soon as the import is to stop, even within a wait", async () => {
    const { retryBudget, cancel } = budgetOf()
    cancel.abort()
    await expect(retryBudget.ready()).rejects.toThrow()
  })
})
