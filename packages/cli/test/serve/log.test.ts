import { expect, test } from "vitest"
import { type LogStream, makeLog } from "../../src/serve/log.js"

/** A stream whose reader takes nothing until `read` is called. */
const stuckStream = () => {
  const chunks: Array<string> = []
  let waiting = 0
  const stream: LogStream = {
    write: (text) => {
      chunks.push(text)
      waiting += Buffer.byteLength(text)
    },
    get writableLength() {
      return waiting
    },
    on: () => undefined
  }
  return {
    stream,
    waiting: () => waiting,
    read: () => {
      waiting = 0
      return chunks.splice(0).join("")
    }
  }
}

const LINE = JSON.stringify({ event: "request", path: "x".repeat(1_000) })

test.each([undefined, 2])(
  "a reader that has stopped costs a bounded amount of memory (worker %s)",
  (worker) => {
    const { stream, waiting, read } = stuckStream()
    const log = makeLog(stream, worker)
    const lines = 50_000
    for (let at = 0; at < lines; at++) {
      log.write(LINE)
      log.flush()
    }
    expect(waiting()).toBeLessThan(17 * 1_048_576)
    const before = read().split("\n").length - 1
    log.write(LINE)
    log.flush()
    const [note = "", next = ""] = read().split("\n")
    expect(JSON.parse(note)).toEqual({
      time: expect.any(String),
      level: "error",
      event: "log_dropped",
      lines: lines - before,
      ...(worker === undefined ? {} : { worker })
    })
    expect(JSON.parse(next)).toMatchObject({ event: "request" })
    log.write(LINE)
    log.flush()
    expect(read()).not.toContain("log_dropped")
  }
)
