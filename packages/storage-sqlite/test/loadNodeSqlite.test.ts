import { afterEach, expect, test, vi } from "vitest"
import { loadNodeSqlite } from "../src/driver/loadNodeSqlite.js"

afterEach(() => vi.restoreAllMocks())

class StatementSync {
  setReturnArrays(): void {}
}

test("the warning that SQLite is experimental is dropped while it loads, and no other one", () => {
  const emit = vi.spyOn(process, "emitWarning").mockReturnValue()
  const found = { DatabaseSync: Object, StatementSync, backup: () => undefined }
  vi.spyOn(process, "getBuiltinModule").mockImplementation(() => {
    process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning")
    process.emitWarning("Fetch is an experimental feature", "ExperimentalWarning")
    process.emitWarning("SQLite is old", "DeprecationWarning", "DEP1")
    return found
  })
  expect(loadNodeSqlite()).toBe(found)
  expect(emit.mock.calls).toEqual([
    ["Fetch is an experimental feature", "ExperimentalWarning"],
    ["SQLite is old", "DeprecationWarning", "DEP1"]
  ])
  process.emitWarning("SQLite is an experimental feature", "ExperimentalWarning")
  expect(emit).toHaveBeenCalledTimes(3)
})

test("a module without statements that give arrays, as of Node 22.13, is none", () => {
  const load = vi.spyOn(process, "getBuiltinModule")
  const old = { DatabaseSync: Object, StatementSync: Object, backup: () => undefined }
  for (const found of [undefined, {}, old, { ...old, StatementSync: undefined }]) {
    load.mockReturnValue(found)
    expect(loadNodeSqlite()).toBeUndefined()
  }
  load.mockReturnValue({ ...old, StatementSync })
  expect(loadNodeSqlite()).toBeDefined()
})
