import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, expect, test } from "vitest"
import { exactTime, shortTime } from "../../src/terminal/text.js"
import { parseRequest, readTrace } from "../../src/limits/Trace.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-trace-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("a line is a request with whole milliseconds and a key, whatever else it says", () => {
  expect(parseRequest('{"at":1767225600000,"key":"till","status":200}')).toEqual({
    atMs: 1_767_225_600_000,
    key: "till"
  })
})

test.each([
  ["", "not JSON"],
  ["[]", "not an object"],
  ["null", "not an object"],
  ['{"key":"a"}', "at: expected"],
  ['{"at":1.5,"key":"a"}', "at: expected"],
  ['{"at":-1,"key":"a"}', "at: expected"],
  ['{"at":1e400,"key":"a"}', "at: expected"],
  [
    '{"at":253402300800000,"key":"a"}',
    "at: expected whole milliseconds since 1970, up to the year 9999"
  ],
  ['{"at":9007199254740991,"key":"a"}', "at: expected"],
  ['{"at":"1767225600000","key":"a"}', "at: expected"],
  ['{"at":1}', "key: expected"],
  ['{"at":1,"key":""}', "key: expected"]
])("%s is no request", (line, why) => expect(parseRequest(line)).toContain(why))

test("the last millisecond of the year 9999 is the last that a request can be at, and is shown", () => {
  const request = parseRequest('{"at":253402300799999,"key":"a"}')
  expect(request).toEqual({ atMs: 253_402_300_799_999, key: "a" })
  expect(shortTime(253_402_300_799_999)).toBe("9999-12-31 23:59")
  expect(exactTime(253_402_300_799_999)).toBe("9999-12-31 23:59:59")
})

test("invalid lines are reported by number; blank ones and a byte order mark do not count", async () => {
  const file = join(folder, "trace.jsonl")
  writeFileSync(file, '\ufeff{"at":1,"key":"a"}\r\n\n{"at":2,"key":"b"}\r\noops\n')
  expect(await readTrace(file)).toEqual({
    requests: [
      { atMs: 1, key: "a" },
      { atMs: 2, key: "b" }
    ],
    badLines: [{ line: 4, message: "not JSON" }]
  })
})

test("a trace in UTF-16, as PowerShell writes it, is read, and the end mark of DOS is no line", async () => {
  const file = join(folder, "utf16.jsonl")
  const text = '\ufeff{"at":1,"key":"Zoë"}\r\n{"at":2,"key":"b"}\r\n\u001a'
  writeFileSync(file, Buffer.from(text, "utf16le"))
  expect(await readTrace(file)).toEqual({
    requests: [
      { atMs: 1, key: "Zoë" },
      { atMs: 2, key: "b" }
    ],
    badLines: []
  })
})

test("a trace that is still compressed is refused, and what to do is said", async () => {
  const file = join(folder, "trace.jsonl.gz")
  writeFileSync(file, gzipSync('{"at":1,"key":"a"}\n'))
  await expect(readTrace(file)).rejects.toThrow("it is compressed; unpack it")
})
