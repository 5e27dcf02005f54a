import { afterEach, describe, expect, test, vi } from "vitest"
import { GatherReplies } from "../../src/serve/workers/GatherReplies.js"
import { mergeMetrics } from "../../src/serve/workers/mergeMetrics.js"
import { Respawn } from "../../src/serve/workers/Respawn.js"
import { makeLog } from "../../src/serve/log.js"

afterEach(() => vi.useRealTimers())

describe("a worker that dies", () => {
  test("is replaced at once, then later and later, up to half a minute", () => {
    const respawn = new Respawn()
    const pauses = Array.from({ length: 12 }, () => respawn.pauseMs(50))
    expect(pauses.slice(0, 5)).toEqual([0, 100, 200, 400, 800])
    expect(pauses.at(-1)).toBe(30_000)
  })

  test("is replaced at once again where it had been at work for a minute", () => {
    const respawn = new Respawn()
    for (let death = 0; death < 5; death++) respawn.pauseMs(50)
    expect(respawn.pauseMs(59_999)).toBeGreaterThan(0)
    expect(respawn.pauseMs(60_000)).toBe(0)
    expect(respawn.pauseMs(50)).toBe(100)
  })
})

test("metrics of several workers are one text: each family once, each sample with its worker", () => {
  const text = (requests: number) =>
    [
      "# HELP a Requests.",
      "# TYPE a counter",
      `a{operation="getPet",status="200"} ${requests}`,
      "# HELP b Bytes.",
      "# TYPE b gauge",
      "b 7",
      ""
    ].join("\n")
  expect(
    mergeMetrics(
      new Map([
        [1, text(3)],
        [3, `${text(4)}# HELP c Only there.\n# TYPE c gauge\nc 1\n`]
      ])
    )
  ).toBe(
    [
      "# HELP a Requests.",
      "# TYPE a counter",
      'a{operation="getPet",status="200",worker="1"} 3',
      'a{operation="getPet",status="200",worker="3"} 4',
      "# HELP b Bytes.",
      "# TYPE b gauge",
      'b{worker="1"} 7',
      'b{worker="3"} 7',
      "# HELP c Only there.",
      "# TYPE c gauge",
      'c{worker="3"} 1',
      ""
    ].join("\n")
  )
})

describe("gathering", () => {
  test("is done when all that were asked have answered or are gone, in their order", async () => {
    const gathering = new GatherReplies()
    const asked: Array<readonly [number, number]> = []
    const found = gathering.ask([1, 2, 3], (worker, request) => asked.push([worker, request]))
    expect(asked).toEqual([
      [1, 1],
      [2, 1],
      [3, 1]
    ])
    gathering.reply(3, 1, "three")
    gathering.gone(2)
    gathering.reply(1, 1, "one")
    expect([...(await found)]).toEqual([
      [1, "one"],
      [3, "three"]
    ])
  })

  test("waits a second for a busy worker, and continues without it", async () => {
    vi.useFakeTimers()
    const gathering = new GatherReplies()
    const found = gathering.ask([1, 2], () => undefined)
    gathering.reply(1, 1, "one")
    vi.advanceTimersByTime(1_000)
    expect([...(await found)]).toEqual([[1, "one"]])
    gathering.reply(2, 1, "late")
    expect([...(await gathering.ask([], () => undefined))]).toEqual([])
  })
})

describe("the log of a worker", () => {
  const written = (worker?: number) => {
    const writes: Array<string> = []
    const stream = Object.assign(Object.create(process.stderr), {
      on: () => stream,
      write: (text: string) => writes.push(text)
    })
    return { log: makeLog(stream, worker), writes }
  }

  test("says in each line which worker it is of", () => {
    const { log, writes } = written(2)
    log.write('{"a":1}')
    log.write('{"b":2}')
    log.flush()
    expect(writes).toEqual(['{"a":1,"worker":2}\n{"b":2,"worker":2}\n'])
  })

  test("is written in whole lines of no more than a pipe takes at once", () => {
    const { log, writes } = written(1)
    const line = JSON.stringify({ text: "é".repeat(900) })
    for (let number = 0; number < 5; number++) log.write(line)
    log.flush()
    expect(writes.map((text) => text.split("\n").length - 1)).toEqual([2, 2, 1])
    expect(writes.every((text) => Buffer.byteLength(text) <= 4_096 && text.endsWith("\n"))).toBe(
      true
    )
  })

  test("of a single server is its own text, unchanged", () => {
    const { log, writes } = written()
    for (let number = 0; number < 100; number++) log.write(`{"n":${"1".repeat(100)}}`)
    log.flush()
    expect(writes).toHaveLength(1)
    expect(writes[0]).not.toContain("worker")
  })
})
