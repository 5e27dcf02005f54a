import { getEventListeners } from "node:events"
import { describe, expect, it } from "vitest"
import { onAbort } from "../../src/value/onAbort.js"

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, "abort").length

describe("waiting for a signal to abort", () => {
  it("takes one listener for all, which ends with the last of them", () => {
    const { signal } = new AbortController()
    const forgets = Array.from({ length: 50 }, () => onAbort(signal, () => undefined))
    expect(listenersOf(signal)).toBe(1)
    for (const [at, forget] of forgets.entries()) {
      expect(listenersOf(signal)).toBe(1)
      forget()
      forget()
      expect(listenersOf(signal)).toBe(at === 49 ? 0 : 1)
    }
  })

  it("runs each once, in order, but for those that were forgotten", () => {
    const controller = new AbortController()
    const ran: Array<string> = []
    const same = () => ran.push("same")
    onAbort(controller.signal, same)
    const forget = onAbort(controller.signal, () => ran.push("forgotten"))
    onAbort(controller.signal, same)
    const forgetLast = onAbort(controller.signal, () => ran.push("forgotten by the one before"))
    forget()
    onAbort(controller.signal, () => ran.push("last"))
    forgetLast()
    controller.abort()
    controller.abort()
    expect(ran).toEqual(["same", "same", "last"])
    expect(listenersOf(controller.signal)).toBe(0)
  })

  it("ends at once for a signal that has aborted", () => {
    let ran = 0
    const signal = AbortSignal.abort()
    onAbort(signal, () => ran++)()
    expect([ran, listenersOf(signal)]).toEqual([1, 0])
  })

  it("begins anew after all were forgotten", () => {
    const controller = new AbortController()
    onAbort(controller.signal, () => undefined)()
    let ran = 0
    onAbort(controller.signal, () => ran++)
    controller.abort()
    expect(ran).toBe(1)
  })
})
