/**
 * A log that is deleted under its server takes nothing with it, also when others write meanwhile.
 */
import { existsSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { added, addTo, categoriesIn, healthOf } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { foreignSqlite, hasForeignSqlite, unlessForeignSqlite } from "./foreignSqlite.js"
import { killAll, petstore, petstoreJson, served } from "./petstore.js"

const newFolder = folders()
afterEach(killAll)

const newFile = () => join(newFolder(), "a.db")

type Keys = { readonly keys: ReadonlyArray<{ readonly id: number }> }

const keysIn = async (db: string): Promise<number> =>
  (await petstoreJson<Keys>("keys", "list", "--db", db)).keys.length

const aServedStore = async () => {
  const db = newFile()
  const server = await served("--db", db, "--quiet")
  return { db, server, acknowledged: await added(server, 20), keys: await keysIn(db) }
}

const createKey = (db: string) => petstore(["keys", "create", "--plan", "pro", "--db", db])

describe("a -wal that is deleted under its server", { timeout: 120_000 }, () => {
  test.each(["SIGTERM", "SIGKILL"] as const)(
    "is in the file before others write, and what they write is kept when the server ends by %s",
    async (signal) => {
      const { db, server, acknowledged, keys } = await aServedStore()
      rmSync(`${db}-wal`)
      expect(await healthOf(server)).toEqual([503, 200])
      for (let count = 0; count < 3; count++) {
        expect(await createKey(db)).toMatchObject({ code: 0 })
        expect(await healthOf(server)).toEqual([503, 200])
      }
      expect(await addTo(server, 1)).toEqual({ acknowledged: [], refused: ["503 unavailable"] })
      server.child.kill(signal)
      await server.ended
      expect(await keysIn(db)).toBe(keys + 3)
      expect(await categoriesIn(db)).toEqual(acknowledged)
    }
  )

  test("before the server notices, is named to those who open the file, and nothing is lost", async () => {
    const { db, server, acknowledged, keys } = await aServedStore()
    rmSync(`${db}-wal`)
    const { code, stderr } = await createKey(db)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("the log (-wal) was deleted or truncated")
    ])
    server.child.kill("SIGTERM")
    await server.ended
    expect(await keysIn(db)).toBe(keys)
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })

  test("with three workers: none of them checkpoints over what others have written", async () => {
    const db = newFile()
    const server = await served("--db", db, "--workers", "3", "--quiet")
    const acknowledged = await added(server, 20)
    const keys = await keysIn(db)
    rmSync(`${db}-wal`)
    for (let times = 0; times < 10; times++) await healthOf(server)
    for (let count = 0; count < 3; count++) {
      expect(await createKey(db)).toMatchObject({ code: 0 })
      for (let times = 0; times < 5; times++) await healthOf(server)
    }
    server.child.kill("SIGTERM")
    await server.ended
    expect(await keysIn(db)).toBe(keys + 3)
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })
})

describe.skipIf(!hasForeignSqlite)(
  `another SQLite that writes meanwhile${unlessForeignSqlite}`,
  { timeout: 120_000 },
  () => {
    test.each([true, false])(
      "after the -shm was deleted: its transaction is kept when the server ends (it has noticed: %s)",
      async (noticed) => {
        const { db, server, acknowledged } = await aServedStore()
        rmSync(`${db}-shm`)
        if (noticed) expect(await healthOf(server)).toEqual([503, 200])
        await foreignSqlite(db, "CREATE TABLE other (a); INSERT INTO other VALUES (1)")
        server.child.kill("SIGTERM")
        expect((await server.ended).code).toBe(0)
        expect(
          await foreignSqlite(db, "PRAGMA integrity_check; SELECT a FROM other; DROP TABLE other")
        ).toBe("ok\n1")
        expect(await categoriesIn(db)).toEqual(acknowledged)
      }
    )

    test("after both were deleted, and checkpoints: its transaction is kept when the server ends", async () => {
      const { db, server } = await aServedStore()
      for (const suffix of ["-wal", "-shm"]) rmSync(db + suffix)
      await foreignSqlite(
        db,
        "CREATE TABLE other (a); INSERT INTO other VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)"
      )
      server.child.kill("SIGTERM")
      expect((await server.ended).code).toBe(0)
      expect(await foreignSqlite(db, "PRAGMA integrity_check; SELECT a FROM other")).toBe("ok\n1")
    })

    test("after both were deleted, and only reads: what was acknowledged is kept", async () => {
      const { db, server, acknowledged } = await aServedStore()
      for (const suffix of ["-wal", "-shm"]) rmSync(db + suffix)
      await foreignSqlite(db, "SELECT count(*) FROM categories")
      server.child.kill("SIGTERM")
      expect((await server.ended).code).toBe(0)
      expect(await categoriesIn(db)).toEqual(acknowledged)
    })

    test("under a new name of the file: the server leaves both alone when it ends, and its log where it was", async () => {
      const { db, server } = await aServedStore()
      renameSync(db, `${db}.b`)
      expect(await healthOf(server)).toEqual([503, 200])
      await foreignSqlite(
        `${db}.b`,
        "CREATE TABLE other (a); INSERT INTO other VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)"
      )
      server.child.kill("SIGTERM")
      expect((await server.ended).code).toBe(0)
      expect(existsSync(`${db}-wal`)).toBe(true)
      expect(await foreignSqlite(`${db}.b`, "PRAGMA integrity_check; SELECT a FROM other")).toBe(
        "ok\n1"
      )
    })
  }
)
