import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { betterSqlite3Path, openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect } from "effect"
import type { StorageError } from "@petstore/core"
import { describe, expect, onTestFinished, test } from "vitest"
import { SCHEMA_VERSION } from "../src/migrations/migrate.js"
import { backup, status, upgrade, type UpgradeOptions, verify } from "../src/index.js"
import { aFile, openingFailure, openStore } from "./aFile.js"
import { PREVIOUS_SCHEMA, toPreviousSchema } from "./olderStore.js"

/**
 * A store as the version before this one had it, with one category in its log where it was killed.
 */
const anOlderStore = async ({ killed = false } = {}): Promise<string> => {
  const original = aFile()
  const store = await openStore({ filename: original })
  store.direct.categories.create({ name: "Fish" })
  await store.close()
  const file = openSqlite(original)
  toPreviousSchema(file)
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
  const file = openSqlite(filename)
  const version = Number(file.pragma("user_version"))
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
    expect([from, to]).toEqual([PREVIOUS_SCHEMA, SCHEMA_VERSION])
    expect(backup).toMatch(/pets\.db\.before-upgrade-\d{8}T\d{6}Z$/)
    expect(checks).toContain("totals")
    expect(namesBeside(filename)).toEqual([basename(backup ?? "")])
    expect([versionOf(backup ?? ""), statSync(backup ?? "").mode & 0o777]).toEqual([
      PREVIOUS_SCHEMA,
      0o600
    ])
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    const store = await openStore({ filename })
    expect(store.direct.categories.list().items).toHaveLength(1)
  }
)

test("the copy may be named, or left out", async () => {
  const [one, two] = [await anOlderStore(), await anOlderStore()]
  expect((await upgraded({ filename: one, backup: `${one}.copy` })).backup).toBe(`${one}.copy`)
  expect(versionOf(`${one}.copy`)).toBe(PREVIOUS_SCHEMA)
  expect((await upgraded({ filename: two, backup: false })).backup).toBeUndefined()
  expect(namesBeside(two)).toEqual([])
})

test("a rehearsal changes nothing, and leaves nothing behind", async () => {
  const filename = await anOlderStore()
  const before = readFileSync(filename)
  expect(await upgraded({ filename, dryRun: true })).toEqual({
    from: PREVIOUS_SCHEMA,
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
  const other = openSqlite(filename)
  other.pragma("user_version")
  const failure = await refusal({ filename })
  expect([failure.reason, failure.detail]).toEqual([
    "Busy",
    expect.stringContaining("stop its servers first")
  ])
  other.close()
  expect([versionOf(filename), namesBeside(filename)]).toEqual([PREVIOUS_SCHEMA, []])
})

test("a store whose books don't balance is left as it is, both by an upgrade and by a rehearsal", async () => {
  const filename = await anOlderStore()
  const file = openSqlite(filename)
  file.exec("UPDATE kept_totals SET count = 70 WHERE tally = 'pets'")
  file.close()
  for (const dryRun of [true, false]) {
    const failure = await refusal({ filename, dryRun })
    expect([failure.reason, failure.detail]).toEqual([
      "Corrupt",
      expect.stringContaining("the first in totals")
    ])
    expect([versionOf(filename), namesBeside(filename)]).toEqual([PREVIOUS_SCHEMA, []])
  }
})

test("a copy that is there already is not replaced, and nothing is upgraded", async () => {
  const filename = await anOlderStore()
  copyFileSync(filename, `${filename}.copy`)
  const failure = await refusal({ filename, backup: `${filename}.copy` })
  expect(failure.detail).toContain("exists already")
  expect(versionOf(filename)).toBe(PREVIOUS_SCHEMA)
})

/**
 * A process that has the file open in its log and has lost its locks, since it closed a descriptor
 * of its own; on any input it inserts a category more.
 */
const LOCKLESS = `
  const { closeSync, openSync } = require("node:fs")
  const [filename, driver] = process.argv.slice(1)
  const sqlite = process.getBuiltinModule("node:sqlite")
  const file = sqlite === undefined ? new (require(driver))(filename) : new sqlite.DatabaseSync(filename)
  const add = (name) => file.prepare("INSERT INTO categories (revision, name) VALUES (1, ?)").run(name)
  add("first")
  closeSync(openSync(filename))
  process.stdin.once("data", () => { add("second"); process.exit(0) })
  console.log("ready")`

const startLockless = async (filename: string) => {
  const child = spawn(process.execPath, ["-e", LOCKLESS, filename, betterSqlite3Path()], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  return child
}

const namesOfCategories = (filename: string) => {
  const file = openSqlite(filename)
  const names = file.values("SELECT name FROM categories ORDER BY id").all()
  file.close()
  return names
}

describe.skipIf(process.platform !== "linux")(
  "while a process without locks has the file open",
  () => {
    test.each<[string, (filename: string) => Promise<StorageError | undefined>]>([
      ["an upgrade", (filename) => refusal({ filename })],
      ["one without a copy", (filename) => refusal({ filename, backup: false })],
      ["a rehearsal", (filename) => refusal({ filename, dryRun: true })],
      ["opening it for that", (filename) => openingFailure({ filename, upgrade: true, busyMs: 20 })]
    ])("%s is refused, and that process loses nothing", async (_case, attempt) => {
      const filename = await anOlderStore()
      const child = await startLockless(filename)
      const failure = await attempt(filename)
      expect([failure?.reason, failure?.detail]).toEqual([
        "Busy",
        expect.stringContaining("stop its servers first")
      ])
      child.stdin.write("go")
      await once(child, "exit")
      expect([versionOf(filename), namesOfCategories(filename)]).toEqual([
        PREVIOUS_SCHEMA,
        ["Fish", "first", "second"]
      ])
    })

    test("who looks at it takes no log away from it", async () => {
      const filename = await anOlderStore()
      const child = await startLockless(filename)
      await Effect.runPromise(status({ filename }))
      await Effect.runPromise(Effect.flip(verify({ filename })))
      expect((await openingFailure({ filename, busyMs: 20 }))?.reason).toBe("OlderVersion")
      // Its rows have no changes, so the copy is not whole; it is made all the same.
      const copied = backup({ filename, destination: `${filename}.copy` })
      expect((await Effect.runPromise(Effect.flip(copied))).reason).toBe("Corrupt")
      child.stdin.write("go")
      await once(child, "exit")
      expect(namesOfCategories(filename)).toEqual(["Fish", "first", "second"])
    })
  }
)

/** The log of a store whose server was killed, beside an older copy of that store. */
const aStoreWithAForeignLog = async (): Promise<string> => {
  const original = await anOlderStore()
  const filename = aFile()
  const file = openSqlite(original)
  copyFileSync(original, filename)
  const insert = file.command("INSERT INTO categories (revision, name) VALUES (1, ?)")
  const checkpoint = () => file.pragma("wal_checkpoint(TRUNCATE)")
  for (let nth = 0; nth < 300; nth++) insert.run(`checkpointed ${nth}`)
  checkpoint()
  file.exec("UPDATE categories SET name = name || ' ' || hex(zeroblob(50)) WHERE id > 1")
  for (const suffix of ["-wal", "-shm"]) copyFileSync(original + suffix, filename + suffix)
  file.close()
  return filename
}

test.each<[string, (filename: string) => Promise<StorageError | undefined>]>([
  ["an upgrade", (filename) => refusal({ filename })],
  ["one without a copy", (filename) => refusal({ filename, backup: false })],
  ["a rehearsal", (filename) => refusal({ filename, dryRun: true })],
  ["opening it for that", (filename) => openingFailure({ filename, upgrade: true })]
])(
  "%s of a store with a log of another state is refused, and changes nothing",
  async (_, attempt) => {
    const filename = await aStoreWithAForeignLog()
    const bytes = () => ["", "-wal"].map((suffix) => readFileSync(filename + suffix, "base64"))
    const before = bytes()
    const looked = await Effect.runPromise(Effect.either(status({ filename })))
    expect(looked._tag).toBe("Right")
    expect((await openingFailure({ filename }))?.reason).toBe("OlderVersion")
    await Effect.runPromise(Effect.flip(verify({ filename })))
    const failure = await attempt(filename)
    expect([failure?.reason, failure?.detail]).toEqual([
      "Corrupt",
      expect.stringContaining(`move ${filename}-wal and ${filename}-shm out of the way`)
    ])
    expect(bytes()).toEqual(before)
    for (const suffix of ["-wal", "-shm"]) rmSync(filename + suffix, { force: true })
    expect((await upgraded({ filename })).from).toBe(PREVIOUS_SCHEMA)
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  }
)
