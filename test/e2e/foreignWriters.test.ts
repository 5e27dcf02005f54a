/** Another SQLite beside ours: what it has open, and what it leaves behind when it is killed. */
import { existsSync, linkSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { added, addTo, categoriesIn, healthOf } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { foreignSqlite, hasForeignSqlite, holding, unlessForeignSqlite } from "./foreignSqlite.js"
import { killAll, petstore, petstoreJson, served } from "./petstore.js"

const newFolder = folders()
afterEach(killAll)

const COUNT = "SELECT count(*) FROM categories"

/** What a `sqlite3` that is killed leaves: a file in WAL mode and its log. */
const killedForeignStore = async (): Promise<string> => {
  const other = join(newFolder(), "other.db")
  const make = "PRAGMA journal_mode = WAL; CREATE TABLE other (a); INSERT INTO other VALUES (1)"
  await (await holding(other, make)).kill()
  expect(existsSync(`${other}-wal`)).toBe(true)
  return other
}

describe.skipIf(!hasForeignSqlite)(
  `a store that another SQLite has open${unlessForeignSqlite}`,
  { timeout: 120_000 },
  () => {
    test("after a SIGKILL of its server is not restored over, and has all that was acknowledged", async () => {
      const db = join(newFolder(), "a.db")
      const server = await served("--db", db, "--quiet")
      const copy = join(newFolder(), "copy.db")
      await petstoreJson("backup", copy, "--db", db)
      const acknowledged = await added(server, 20)
      server.child.kill("SIGKILL")
      await server.ended
      const foreign = await holding(db, COUNT)
      const { code, stderr } = await petstore(["restore", copy, "--db", db])
      expect([code, stderr]).toEqual([1, expect.stringContaining("is open in another process")])
      expect(await foreignSqlite(db, COUNT)).toBe("20")
      await foreign.kill()
      expect(await categoriesIn(db)).toEqual(acknowledged)
      await petstoreJson("restore", copy, "--db", db)
      expect(await categoriesIn(db)).toEqual([])
    })

    test("loses nothing when a foreign writer is killed in its transaction, and then the server too", async () => {
      const db = join(newFolder(), "a.db")
      const server = await served("--db", db, "--quiet")
      const acknowledged = await added(server, 10)
      const foreign = await holding(db, `BEGIN IMMEDIATE; DELETE FROM categories; ${COUNT}`)
      await foreign.kill()
      acknowledged.push(...(await added(server, 10)))
      server.child.kill("SIGKILL")
      await server.ended
      expect(await foreignSqlite(db, COUNT)).toBe("20")
      expect(await categoriesIn(db)).toEqual(acknowledged)
    })

    test("is not found again under its name once that was deleted: nothing more is acknowledged", async () => {
      const db = join(newFolder(), "a.db")
      const server = await served("--db", db, "--quiet")
      await added(server, 10)
      const foreign = await holding(db, COUNT)
      for (const suffix of ["", "-wal", "-shm"]) rmSync(db + suffix)
      const make = "CREATE TABLE categories (id); INSERT INTO categories VALUES (7)"
      await foreignSqlite(db, make)
      expect((await addTo(server, 3)).acknowledged).toEqual([])
      expect(await healthOf(server)).toEqual([503, 200])
      server.child.kill("SIGTERM")
      expect((await server.ended).code).toBe(0)
      await foreign.kill()
      expect(await foreignSqlite(db, "PRAGMA integrity_check; SELECT id FROM categories")).toBe(
        "ok\n7"
      )
    })

    test("under a second name is refused, and what was acknowledged under the first is kept", async () => {
      const db = join(newFolder(), "a.db")
      const server = await served("--db", db, "--quiet")
      const acknowledged = await added(server, 10)
      const other = join(newFolder(), "b.db")
      linkSync(db, other)
      const foreign = await holding(other, "SELECT 1")
      const { code, stderr } = await petstore(["keys", "list", "--db", other])
      expect([code, stderr]).toEqual([1, expect.stringContaining("has 2 names")])
      await foreign.kill()
      server.child.kill("SIGKILL")
      await server.ended
      rmSync(other)
      expect(await categoriesIn(db)).toEqual(acknowledged)
    })
  }
)

describe.skipIf(!hasForeignSqlite)(
  `a log that another SQLite has left${unlessForeignSqlite}`,
  { timeout: 120_000 },
  () => {
    test("is not replayed into a new store of that name", async () => {
      const other = await killedForeignStore()
      const db = join(newFolder(), "a.db")
      renameSync(`${other}-wal`, `${db}-wal`)
      const { code, stderr } = await petstore(["seed", "--db", db])
      expect([code, stderr]).toEqual([1, expect.stringContaining("a.db-wal is left of a file")])
      expect([existsSync(db), existsSync(`${db}-wal`)]).toEqual([false, true])
    })

    test("is not replayed into a store that is there", async () => {
      const other = await killedForeignStore()
      const db = join(newFolder(), "a.db")
      const server = await served("--db", db, "--quiet")
      const acknowledged = await added(server, 10)
      server.child.kill("SIGTERM")
      await server.ended
      renameSync(`${other}-wal`, `${db}-wal`)
      const { code, stderr } = await petstore(["keys", "list", "--db", db])
      expect([code, stderr]).toEqual([1, expect.stringContaining("a.db-wal does not belong to")])
      rmSync(`${db}-wal`)
      expect(await categoriesIn(db)).toEqual(acknowledged)
    })
  }
)
