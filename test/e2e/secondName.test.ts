/** Two names of one file would have two logs. */
import { linkSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { added, categoriesIn } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { killAll, petstore, served } from "./petstore.js"

const newFolder = folders()
afterEach(killAll)

describe("a second name of a file that is served", { timeout: 120_000 }, () => {
  test("is refused by every command, as a hard link, and nothing that the server acknowledges is lost", async () => {
    const db = join(newFolder(), "a.db")
    const server = await served("--db", db, "--quiet")
    const acknowledged = await added(server, 10)
    const other = join(dirname(db), "b.db")
    linkSync(db, other)
    for (const args of [
      ["serve", "--port", "0"],
      ["serve", "--port", "0", "--workers", "2"],
      ["seed"],
      ["keys", "list"],
      ["history", "category", "1"],
      ["verify"],
      ["backup", join(newFolder(), "copy.db")]
    ]) {
      const { code, stdout, stderr } = await petstore([...args, "--db", other])
      expect([args.join(" "), code, stdout]).toEqual([args.join(" "), 1, ""])
      expect(stderr).toContain(`b.db has 2 names (hard links: ${db})`)
    }
    expect(readdirSync(dirname(db)).toSorted()).toEqual(["a.db", "a.db-shm", "a.db-wal", "b.db"])
    acknowledged.push(...(await added(server, 10)))
    server.child.kill("SIGKILL")
    await server.ended
    rmSync(other)
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })

  test("is the same file as a symbolic link, and all that both servers acknowledge is stored", async () => {
    const db = join(newFolder(), "a.db")
    const link = join(newFolder(), "link.db")
    const one = await served("--db", db, "--quiet")
    symlinkSync(db, link)
    const two = await served("--db", link, "--quiet")
    const acknowledged = (
      await Promise.all([added(one, 20, one.key), added(two, 20, one.key)])
    ).flat()
    for (const { child } of [one, two]) child.kill("SIGKILL")
    await Promise.all([one.ended, two.ended])
    expect((await categoriesIn(link)).toSorted()).toEqual(acknowledged.toSorted())
  })
})
