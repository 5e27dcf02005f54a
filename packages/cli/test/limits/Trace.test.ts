import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
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
  ['{"at":"1767225600000","key":"a"}', "at: expected"],
  ['{"at":1}', "key: expected"],
  ['{"at":1,"key":""}', "key: expected"]
])("%s is no request", (line, why) => expect(parseRequest(line)).toContain(why))

test("bad lines are told by their numbers, blank ones and a byte-order mark do not count", async () => {
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
