import { StorageError } from "@petstore/core"
import { expect, test } from "vitest"
import { makeFailureLog } from "../src/serve/failureLog.js"

const request = { requestId: "r", operation: "createPet" }
const failure = (detail: string) => new StorageError({ reason: "Unavailable", detail })

test("a failure of the storage is said once a minute, another one at once, and a defect each time", () => {
  const lines: Array<string> = []
  let nowMs = 0
  const failed = makeFailureLog(
    { write: (line) => lines.push(JSON.parse(line).error) },
    () => nowMs
  )
  for (let times = 0; times < 3; times++) failed(failure("moved away"), request)
  failed(failure("busy"), request)
  nowMs = 59_999
  failed(failure("busy"), request)
  nowMs = 60_000
  failed(failure("busy"), request)
  for (let times = 0; times < 2; times++) failed(new TypeError("a mistake"), request)
  const told = ["moved away", "busy", "busy"].map(
    (detail) => `StorageError: Unavailable: ${detail}`
  )
  expect(lines).toEqual([...told, "TypeError: a mistake", "TypeError: a mistake"])
})
