import { copyFileSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import Connection from "better-sqlite3"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { SCHEMA_VERSION } from "../src/migrations/migrate.js"
import { upgrade, type UpgradeOptions, verify } from "../src/index.js"
import { aFile, openStore } from "./aFile.js"
import { toSchema4 } from "./olderStore.js"

/**
 * A store as the version before this one had it, with one category in its log where it was killed.
 */
const anOlderStore = async ({ killed = false } = {}): Promise<string> => {
  const original = aFile()
  const store = await openStore({ filename: original })
  store.direct.categories.create({ name: "Fish" })
  await store.close()
  const file = new Connection(original)
  toSchema4(file)
  if (!killed) {
    file.close()
    return original
  }
  const filename = aFile()
  for (const suffix of ["", "-wal", "-shm"]) copyFileSync(original + suffix, filename + suffix)
  file.close()
  return filename
}

const upgraded = (options: UpgradeOptions) => Effect.runPromise(upgrade(options))
const refusal = (options: UpgradeOptions) => Effect.runPromise(Effect.flip(upgrade(options)))

const versionOf = (filename: string): number => {
  const file = new Connection(filename)
  const version = Number(file.pragma("user_version", { simple: true }))
  file.close()
  return version & 0xff
}

const namesBeside = (filename: string) =>
  readdirSync(dirname(filename)).filter((name) => name !== basename(filename))

test.each([false, true])(
  "an upgrade makes a copy of the earlier schema first (killed: %s)",
  async (killed) => {
    const filename = await anOlderStore({ killed })
    const checks: Array<string> = []
    const { from, to, backup } = await upgraded({
      filename,
      onCheck: (check) => checks.push(check)
    })
    expect([from, to]).toEqual([4, SCHEMA_VERSION])
    expect(backup).toMatch(/pets\.db\.before-upgrade-\d{8}T\d{6}Z$/)
    expect(checks).toContain("totals")
    expect(namesBeside(filename)).toEqual([basename(backup ?? "")])
    expect([versionOf(backup ?? ""), statSync(backup ?? "").mode & 0o777]).toEqual([4, 0o600])
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    const store = await openStore({ filename })
    expect(store.direct.categories.list().items).toHaveLength(1)
  }
)

test("the copy may be named, or left out", async () => {
  const [one, two] = [await anOlderStore(), await anOlderStore()]
  expect((await upgraded({ filename: one, backup: `${one}.copy` })).backup).toBe(`${one}.copy`)
  expect(versionOf(`${one}.copy`)).toBe(4)
  expect((await upgraded({ filename: two, backup: false })).backup).toBeUndefined()
  expect(namesBeside(two)).toEqual([])
})

test("a rehearsal changes nothing, and leaves nothing behind", async () => {
  const filename = await anOlderStore()
  const before = readFileSync(filename)
  expect(await upgraded({ filename, dryRun: true })).toEqual({
    from: 4,
    to: SCHEMA_VERSION,
    backup: undefined
  })
  expect(readFileSync(filename).equals(before)).toBe(true)
  expect(namesBeside(filename)).toEqual([])
})

test("a file that is up to date is left alone, and none is made", async () => {
  const filename = aFile()
  const failure = await refusal({ filename })
  expect([failure.reason, namesBeside(filename)]).toEqual(["Unavailable", []])
  await (await openStore({ filename })).close()
  const before = readFileSync(filename)
  expect(await upgraded({ filename })).toEqual({
    from: SCHEMA_VERSION,
    to: SCHEMA_VERSION,
    backup: undefined
  })
  expect(readFileSync(filename).equals(before)).toBe(true)
})

test("while another connection has the file open nothing is done, not even a copy", async () => {
  const filename = await anOlderStore()
  const other = new Connection(filename)
  other.pragma("user_version")
  const failure = await refusal({ filename })
  expect([failure.reason, failure.detail]).toEqual([
    "Busy",
    expect.stringContaining("stop its servers first")
  ])
  other.close()
  expect([versionOf(filename), namesBeside(filename)]).toEqual([4, []])
})

test("a store whose books don't balance is left as it is, both by an upgrade and by a rehearsal", async () => {
  const filename = await anOlderStore()
  const file = new Connection(filename)
  file.exec("UPDATE kept_totals SET count = 70 WHERE tally = 'pets'")
  file.close()
  for (const dryRun of [true, false]) {
    const failure = await refusal({ filename, dryRun })
    expect([failure.reason, failure.detail]).toEqual([
      "Corrupt",
      expect.stringContaining("the first in totals")
    ])
    expect([versionOf(filename), namesBeside(filename)]).toEqual([4, []])
  }
})

test("a copy that is there already is not replaced, and nothing is upgraded", async () => {
  const filename = await anOlderStore()
  copyFileSync(filename, `${filename}.copy`)
  const failure = await refusal({ filename, backup: `${filename}.copy` })
  expect(failure.detail).toContain("is there already")
  expect(versionOf(filename)).toBe(4)
})
