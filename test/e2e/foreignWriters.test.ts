/** Another SQLite that has a store open keeps `restore` from touching it. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { afterEach, describe, expect, onTestFinished, test } from "vitest"
import { added, categoriesIn } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { foreignSqlite, hasForeignSqlite, unlessForeignSqlite } from "./foreignSqlite.js"
import { killAll, petstore, petstoreJson, served } from "./petstore.js"

const newFolder = folders()
afterEach(killAll)

/** A `sqlite3` that has read from the file, and keeps it open until it is killed. */
const holding = async (db: string) => {
  const child = spawn("sqlite3", [db], { stdio: ["pipe", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  const ended = new Promise((resolve) => child.once("close", resolve))
  child.stdin.write("SELECT count(*) FROM categories;\n")
  await new Promise((resolve) => child.stdout.once("data", resolve))
  return { child, ended }
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
      const foreign = await holding(db)
      const { code, stderr } = await petstore(["restore", copy, "--db", db])
      expect([code, stderr]).toEqual([1, expect.stringContaining("is open in another process")])
      expect(await foreignSqlite(db, "SELECT count(*) FROM categories")).toBe("20")
      foreign.child.kill("SIGKILL")
      await foreign.ended
      expect(await categoriesIn(db)).toEqual(acknowledged)
      await petstoreJson("restore", copy, "--db", db)
      expect(await categoriesIn(db)).toEqual([])
    })
  }
)
