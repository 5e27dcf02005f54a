import type { Row } from "@petstore/core/storage"
import { expect, test } from "vitest"
import { newCowToken } from "../../src/CowToken.js"
import { entryOf } from "../../src/index/IndexEntry.js"
import { CHUNK_CAPACITY, SortedChunk } from "../../src/index/SortedChunk.js"

const rowOf = (id: number): Row => ({ id, revision: 1 })
const entry = (id: number) => entryOf("id", id, id)

test("splitting a chunk with one unsorted entry gives two halves, of which the upper one is sorted", () => {
  const chunk = SortedChunk.of(newCowToken(), "id", entry(10), CHUNK_CAPACITY)
  chunk.add(entry(1))
  for (let id = 11; chunk.length < CHUNK_CAPACITY; id++) chunk.add(entry(id))
  expect(chunk.endsBefore(entry(2 * CHUNK_CAPACITY))).toBe(false)
  const high = chunk.split(rowOf)
  expect(chunk.length).toBeGreaterThan(CHUNK_CAPACITY / 4)
  expect(high.length).toBeGreaterThan(CHUNK_CAPACITY / 4)
  expect(chunk.length + high.length).toBe(CHUNK_CAPACITY)
  expect(high.endsBefore(entry(2 * CHUNK_CAPACITY))).toBe(true)
  expect(high.endsBefore(entry(20))).toBe(false)
})
