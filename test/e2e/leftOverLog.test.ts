/** The log of a killed process belongs to its file, and to no other of that name. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { added, categoriesIn } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, served } from "./petstore.js"

const newFolder = folders()
afterEach(killAll)

/** A store whose server was killed, and what it had acknowledged. */
const aKilledStore = async () => {
  const db = join(newFolder(), "a.db")
  const { child, ended, ...server } = await served("--db", db, "--quiet")
  const acknowledged = await added(server, 20)
  child.kill("SIGKILL")
  await ended
  expect(existsSync(`${db}-wal`)).toBe(true)
  return { db, acknowledged }
}

const contents = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .toSorted()
    .map((name) => `${name}: ${readFileSync(join(folder, name), "base64")}`)

/** What a command says that must be refused and change nothing beside the file. */
const refusalOf = async (db: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const before = contents(dirname(db))
  const { code, stdout, stderr } = await petstore(args)
  expect([args.join(" "), code, stdout]).toEqual([args.join(" "), 1, ""])
  expect(contents(dirname(db))).toEqual(before)
  return stderr
}

describe("a log whose file was deleted", { timeout: 120_000 }, () => {
  const makers: Readonly<Record<string, (db: string) => ReadonlyArray<string>>> = {
    serve: (db) => ["serve", "--port", "0", "--db", db],
    "serve --workers 2": (db) => ["serve", "--workers", "2", "--port", "0", "--db", db],
    seed: (db) => ["seed", "--db", db],
    "keys create": (db) => ["keys", "create", "--plan", "pro", "--db", db]
  }

  test.each(Object.keys(makers))(
    "is not replayed into the new one that %s would make",
    async (how) => {
      const { db } = await aKilledStore()
      rmSync(db)
      const told = await refusalOf(db, ...(makers[how]?.(db) ?? []))
      expect(told).toContain(
        `${db} does not exist, and ${db}-wal is left of a file that had this name`
      )
      expect(told).toContain("put that file back, or move a.db-wal, a.db-shm out of the way")
    }
  )

  test("is not replayed into a backup of that name", async () => {
    const { db } = await aKilledStore()
    rmSync(db)
    const other = join(newFolder(), "other.db")
    await petstoreJson("seed", "--db", other)
    const told = await refusalOf(db, "backup", db, "--db", other)
    expect(told).toContain(`${basename(db)}-wal is left of a file that had this name`)
  })

  test("brings everything that was acknowledged once the file is back", async () => {
    const { db, acknowledged } = await aKilledStore()
    renameSync(db, `${db}.away`)
    await refusalOf(db, "seed", "--db", db)
    renameSync(`${db}.away`, db)
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })

  test("is out of the way once it was moved, and a new store is made", async () => {
    const { db } = await aKilledStore()
    rmSync(db)
    for (const suffix of ["-wal", "-shm"]) renameSync(db + suffix, `${db}.old${suffix}`)
    const server = await served("--db", db, "--quiet")
    const acknowledged = await added(server, 5)
    server.child.kill("SIGKILL")
    await server.ended
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })
})
