import * as Sse from "@effect/experimental/Sse"
import { Duration, FastCheck as fc } from "effect"
import { expect, it } from "vitest"
import { EventParser } from "../../src/client/EventParser.js"

/** What effect's own parser reads, which forgets an id with its event, as the standard does not. */
const oracle = (text: string) => {
  const events: Array<readonly [type: string, data: string]> = []
  let retryMs: number | undefined
  const parser = Sse.makeParser((event) => {
    if (event._tag === "Event") events.push([event.event, event.data])
    else retryMs = Duration.toMillis(event.duration)
  })
  // In one chunk: it takes a line end that is cut in two for two.
  parser.feed(text)
  return { events, retryMs }
}

const ours = (chunks: ReadonlyArray<string>) => {
  const parser = new EventParser()
  const all = chunks.flatMap((chunk) => parser.push(chunk))
  const events = all.flatMap(({ type, data }) =>
    data === undefined ? [] : [[type, data] as const]
  )
  return { events, ids: all.map(({ id }) => id), retryMs: parser.retryMs }
}

const texts = fc.stringMatching(/^[a-z :{}"é🐈]{0,8}$/u)

const lines = fc.oneof(
  texts.map((text) => `data: ${text}`),
  texts.map((text) => `data:${text}`),
  texts.map((text) => `event: ${text}`),
  texts.map((text) => `: ${text}`),
  texts.map((text) => `other: ${text}`),
  fc.constantFrom("data", "retry: 250", ":", "id: 7", "", "")
)

const streams = fc
  .tuple(fc.constantFrom("\n", "\r\n"), fc.array(lines, { maxLength: 20 }))
  .map(([end, all]) => [...all, "", ""].join(end))

/** A stream cut anywhere, into single characters at times. */
const cut = streams.chain((text) =>
  fc.array(fc.nat(text.length), { maxLength: 10 }).map((places) => {
    const at = [0, ...places.sort((left, right) => left - right), text.length]
    return at.slice(1).map((end, n) => text.slice(at[n], end))
  })
)

it("reads of a stream what effect's parser reads, wherever it is cut", () => {
  fc.assert(
    fc.property(cut, (chunks) => {
      const { events, retryMs } = ours(chunks)
      const expected = oracle(chunks.join(""))
      expect(events.map(([type, data]) => [type, data])).toEqual(
        expected.events.map(([type, data]) => [type === "" ? "message" : type, data])
      )
      expect(retryMs).toBe(expected.retryMs)
    })
  )
})

it("reads the same wherever the stream is cut", () => {
  fc.assert(
    fc.property(cut, (chunks) => {
      expect(ours(chunks)).toEqual(ours([chunks.join("")]))
    })
  )
})

it("takes every line end, a mark at the beginning, and an id without an event, and no id with a null in it", () => {
  const parser = new EventParser()
  expect(parser.push("\ufeffid: 1\rdata: a\r\rid: 2\n\n")).toEqual([
    { id: "1", type: "message", data: "a" },
    { id: "2", type: "message", data: undefined }
  ])
  expect(parser.push("id: 3\0\ndata: b\ndata:\n\n")).toEqual([
    { id: "2", type: "message", data: "b\n" }
  ])
  expect(parser.push("retry: 1e3\nretry: 40\n")).toEqual([])
  expect(parser.retryMs).toBe(40)
})
