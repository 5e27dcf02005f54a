import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { errorOf, openShop } from "../ShopServer.js"

const SUNSET_MS = Date.UTC(2027, 11, 1)

/** A clock that stands still. */
const clockAt = (nowMs: number): Clock.Clock => ({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => nowMs,
  currentTimeMillis: Effect.succeed(nowMs),
  unsafeCurrentTimeNanos: () => BigInt(nowMs) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(nowMs) * 1_000_000n),
  sleep: () => Effect.never
})

describe("GET /pets/{petId} is deprecated", () => {
  it("and says so by RFC 9745 and RFC 8594, whatever the answer", async () => {
    const shop = await openShop()
    for (const [target, init] of [
      ["/pets/1", {}],
      ["/pets/99", {}],
      ["/pets/1", { method: "HEAD" }]
    ] as const) {
      const { headers } = await shop.send(target, init)
      expect(headers.get("deprecation")).toBe("@1796083200")
      expect(headers.get("sunset")).toBe("Wed, 01 Dec 2027 00:00:00 GMT")
      expect(headers.get("link")).toBe(
        `</pets?id=${target.slice(6)}>; rel="successor-version", </docs>; rel="deprecation"; type="text/html", </docs>; rel="sunset"; type="text/html"`
      )
    }
  })

  it("and no other operation is", async () => {
    const shop = await openShop()
    for (const target of ["/pets", "/categories/1", "/nowhere"]) {
      const { headers } = await shop.send(target)
      expect([headers.get("deprecation"), headers.get("sunset")]).toEqual([null, null])
    }
    expect((await shop.send("/pets/1", { method: "DELETE" })).headers.has("deprecation")).toBe(
      false
    )
  })

  it("the successor it names answers with the same pet", async () => {
    const shop = await openShop()
    const response = await shop.send("/pets/1")
    const successor =
      /<([^>]+)>; rel="successor-version"/.exec(response.headers.get("link") ?? "")?.[1] ?? ""
    expect(await (await shop.send(successor)).json()).toEqual([await response.json()])
  })

  it("past its sunset it is answered still, or 410 where the host has it enforced", async () => {
    const at = (nowMs: number, afterSunset: "announce" | "enforce") =>
      openShop({ web: { afterSunset }, open: { clock: clockAt(nowMs) } }).then((shop) =>
        shop.send("/pets/1")
      )
    expect((await at(SUNSET_MS, "announce")).status).toBe(200)
    expect((await at(SUNSET_MS - 1, "enforce")).status).toBe(200)
    expect(await errorOf(await at(SUNSET_MS, "enforce"))).toMatch(
      /^410 sunset: this operation has ended: use/
    )
  })

  it("with dates a host can change or take back", async () => {
    const lifecycle = { deprecatedMs: 0, sunsetMs: 1_000, successor: "/pets", docs: "/changes" }
    const changed = await openShop({
      web: { lifecycles: { getPet: undefined, listPets: lifecycle } }
    })
    expect((await changed.send("/pets/1")).headers.has("deprecation")).toBe(false)
    expect((await changed.send("/pets")).headers.get("deprecation")).toBe("@0")
    expect((await changed.send("/pets")).headers.get("link")).toMatch(
      /^<\/pets>; rel="first", <\/pets>; rel="successor-version"/
    )
    const wrong = openShop({
      web: { lifecycles: { getPet: { ...lifecycle, deprecatedMs: 2_000 } } }
    })
    await expect(wrong).rejects.toThrow("sunset lies before its deprecation")
  })
})
