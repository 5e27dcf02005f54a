/** Files whose upgrade was killed in the middle of its commit: a journal is beside them. */
import { chmodSync, closeSync, copyFileSync, openSync, readFileSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect, Either } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { backup, status, upgrade, verify } from "../src/index.js"
import { aFile, openingFailure, openStore } from "./aFile.js"
import { PREVIOUS_SCHEMA, runNewestStep, toPreviousSchema } from "./olderStore.js"

const PAGE_BYTES = 2_048

/**
 * A store whose first page was written by a transaction that was killed right after: it tells a
 * length that the file has not got yet, and a schema whose tables are not all there.
 */
const aHalfWrittenStore = async (): Promise<string> => {
  const original = aFile()
  const store = await openStore({ filename: original })
  const { id: categoryId } = store.direct.categories.create({ name: "Fish" })
  for (let nth = 0; nth < 50; nth++) store.direct.pets.create({ name: `Nemo ${nth}`, categoryId })
  await store.close()
  const filename = aFile()
  const file = openSqlite(original)
  toPreviousSchema(file)
  file.pragma("journal_mode = DELETE")
  file.exec("VACUUM")
  // The journal is valid before it is synced.
  file.pragma("synchronous = OFF")
  file.exec("BEGIN")
  runNewestStep(file)
  for (const suffix of ["", "-journal"]) copyFileSync(original + suffix, filename + suffix)
  file.exec("COMMIT")
  file.close()
  const descriptor = openSync(filename, "r+")
  writeSync(descriptor, readFileSync(original).subarray(0, PAGE_BYTES), 0, PAGE_BYTES, 0)
  closeSync(descriptor)
  const page = readFileSync(filename)
  expect(page.readUInt32BE(28) * PAGE_BYTES).toBeGreaterThan(page.length)
  return filename
}

const petsIn = async (filename: string) => {
  const store = await openStore({ filename })
  const count = store.direct.pets.list({ limit: 100 }).items.length
  await store.close()
  return count
}

describe("a store whose upgrade was killed while it wrote", () => {
  test("is upgraded, with a copy of before", async () => {
    const filename = await aHalfWrittenStore()
    const { from, backup: copy } = await Effect.runPromise(upgrade({ filename }))
    expect(from).toBe(PREVIOUS_SCHEMA)
    expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    expect(await petsIn(filename)).toBe(50)
    expect((await Effect.runPromise(upgrade({ filename: copy ?? "" }))).from).toBe(PREVIOUS_SCHEMA)
  })

  test("is upgraded by opening it for that, and refused as an older one otherwise", async () => {
    const filename = await aHalfWrittenStore()
    expect((await openingFailure({ filename }))?.reason).toBe("OlderVersion")
    const another = await aHalfWrittenStore()
    expect(await openingFailure({ filename: another, upgrade: true })).toBeUndefined()
    expect(await petsIn(another)).toBe(50)
  })

  test("has the state before for who looks at it, or copies it", async () => {
    const filename = await aHalfWrittenStore()
    const { contents } = await Effect.runPromise(status({ filename }))
    expect(contents).toMatchObject({ schema: PREVIOUS_SCHEMA, counts: { pets: 50 } })
    const another = await aHalfWrittenStore()
    const destination = `${another}.copy`
    await Effect.runPromise(backup({ filename: another, destination }))
    expect((await Effect.runPromise(upgrade({ filename: destination }))).from).toBe(PREVIOUS_SCHEMA)
    const third = await aHalfWrittenStore()
    const looked = await Effect.runPromise(Effect.either(verify({ filename: third })))
    expect(Either.isLeft(looked) && looked.left.reason).toBe("OlderVersion")
  })

  test("has the state before also where it is read-only, and stays as it is", async () => {
    const filename = await aHalfWrittenStore()
    const before = readFileSync(filename)
    chmodSync(filename, 0o400)
    chmodSync(dirname(filename), 0o500)
    onTestFinished(() => chmodSync(dirname(filename), 0o700))
    const { contents } = await Effect.runPromise(status({ filename }))
    expect(contents).toMatchObject({ schema: PREVIOUS_SCHEMA, counts: { pets: 50 } })
    expect(readFileSync(filename).equals(before)).toBe(true)
  })
})

test("a journal that has ended excuses no file that was cut off", async () => {
  const filename = await aHalfWrittenStore()
  const descriptor = openSync(`${filename}-journal`, "r+")
  writeSync(descriptor, Buffer.alloc(28), 0, 28, 0)
  closeSync(descriptor)
  const failure = await openingFailure({ filename })
  expect([failure?.reason, failure?.detail]).toEqual([
    "Corrupt",
    expect.stringContaining("is truncated")
  ])
})
