import type { Row } from "@petstore/core"
import { expect, test } from "vitest"
import { entryOf } from "../../src/index/Entry.js"
import { newOwner } from "../../src/Owner.js"
import { RUN_LIMIT } from "../../src/index/Room.js"
import { Run } from "../../src/index/Run.js"

const rowOf = (id: number): Row => ({ id, revision: 1 })
const entry = (id: number) => entryOf("id", id, id)

test("a run that was in order but for one entry is cut into halves of which the upper one is in order", () => {
  const run = Run.of(newOwner(), "id", entry(10), RUN_LIMIT)
  run.add(entry(1))
  for (let id = 11; run.length < RUN_LIMIT; id++) run.add(entry(id))
  expect(run.endsBefore(entry(2 * RUN_LIMIT))).toBe(false)
  const high = run.split(rowOf)
  expect(run.length).toBeGreaterThan(RUN_LIMIT / 4)
  expect(high.length).toBeGreaterThan(RUN_LIMIT / 4)
  expect(run.length + high.length).toBe(RUN_LIMIT)
  expect(high.endsBefore(entry(2 * RUN_LIMIT))).toBe(true)
  expect(high.endsBefore(entry(20))).toBe(false)
})
