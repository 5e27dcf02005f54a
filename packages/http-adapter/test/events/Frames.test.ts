import type { Change } from "@petstore/core"
import { expect, it } from "vitest"
import { Frames } from "../../src/events/Frames.js"
import { ScriptedFeed } from "./ScriptedFeed.js"

const changesOf = (count: number, name?: string): ReadonlyArray<Change> => {
  const feed = new ScriptedFeed()
  feed.add(count, name)
  return feed.changes
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

it("each event is encoded once, however many readers there are, and the same batch is put together once", () => {
  const frames = new Frames("e1")
  const changes = changesOf(3)
  const whole = frames.batch(changes, undefined)
  expect(frames.batch([...changes], undefined).bytes).toBe(whole.bytes)
  const [, second] = changes
  if (second === undefined) throw new Error("no change")
  const alone = frames.batch([second], undefined)
  expect(frames.batch([second], new Set([second.type])).bytes).toBe(alone.bytes)
  expect(textOf(whole.bytes).split("\n\n")[1]).toBe(textOf(alone.bytes).trimEnd())
})

it("another change with the same sequence is another event", () => {
  const frames = new Frames("e1")
  expect(textOf(frames.batch(changesOf(1), undefined).bytes)).toContain("Rex")
  expect(textOf(frames.batch(changesOf(1, "Max"), undefined).bytes)).toContain("Max")
})

it("a batch ends with the event that brings it to 64 KiB, and has the number of its changes", () => {
  const frames = new Frames("e1")
  const changes = changesOf(128, "x".repeat(2_000))
  const { bytes, count } = frames.batch(changes, undefined)
  expect(count).toBeLessThan(40)
  expect(bytes.byteLength).toBeGreaterThanOrEqual(65_536)
  expect(bytes.byteLength).toBeLessThan(65_536 + 2_300)
  expect(frames.batch(changes, new Set(["pet.deleted"]))).toMatchObject({
    count: 128,
    bytes: { byteLength: 0 }
  })
})
