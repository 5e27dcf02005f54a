/** A server whose file goes away acknowledges nothing that nobody would find again. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import { added, addTo, categoriesIn, healthOf } from "./acknowledged.js"
import { folders } from "./aFolder.js"
import { killAll, petstore, petstoreJson, served, type Served } from "./petstore.js"

const newFolder = folders()
afterEach(killAll)

const newFile = () => join(newFolder(), "a.db")

const SUFFIXES = ["", "-wal", "-shm"]

/** Moves a store with its log. */
const move = (from: string, to: string): void => {
  for (const suffix of SUFFIXES)
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix)
}

/** Lines of the log that say that the file is not what it was. */
const complaints = ({ output }: Pick<Served, "output">): ReadonlyArray<string> =>
  output.stderr.split("\n").filter((line) => line.includes("nothing more is stored"))

/** Nothing is taken, readiness is denied, and the process lives. */
const expectRefusal = async (server: Served, key?: string): Promise<void> => {
  expect(await addTo(server, 5, key)).toEqual({
    acknowledged: [],
    refused: Array.from({ length: 5 }, () => "503 unavailable")
  })
  expect(await healthOf(server)).toEqual([503, 200])
}

describe("a file that is deleted under its server", { timeout: 120_000 }, () => {
  test("with its log: writes are 503 and say when to come back, readiness is denied, and the log says it once", async () => {
    const db = newFile()
    const server = await served("--db", db, "--quiet")
    await added(server, 10)
    for (const suffix of SUFFIXES) rmSync(db + suffix)
    await expectRefusal(server)
    const response = await server.call("/categories", { method: "POST", body: '{"name":"Late"}' })
    expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([503, true])
    expect(complaints(server)).toEqual([
      expect.stringContaining(
        "a.db was deleted or moved away while it was open: nothing more is stored"
      )
    ])
    server.child.kill("SIGTERM")
    expect((await server.ended).code).toBe(0)
    expect(existsSync(db)).toBe(false)
  })

  test("with its log, and three workers: each refuses writes, and the one that replaces a killed one makes no new store", async () => {
    const db = newFile()
    const server = await served("--db", db, "--workers", "3")
    await added(server, 10)
    for (const suffix of SUFFIXES) rmSync(db + suffix)
    await expectRefusal(server)
    const pid = Number(/"worker_listens","worker":2,"pid":(\d+)/.exec(server.output.stderr)?.[1])
    process.kill(pid, "SIGKILL")
    await expect.poll(() => server.output.stderr).toContain("there is no store at")
    await expectRefusal(server)
    expect(readdirSync(join(db, ".."))).toEqual([])
  })

  test("with the folder: the same", async () => {
    const folder = join(newFolder(), "data")
    mkdirSync(folder)
    const server = await served("--db", join(folder, "a.db"), "--quiet")
    await added(server, 3)
    rmSync(folder, { recursive: true })
    await expectRefusal(server)
    expect(complaints(server)).toHaveLength(1)
  })
})

describe("a file that is renamed under its server", { timeout: 120_000 }, () => {
  const moved = async () => {
    const db = newFile()
    const server = await served("--db", db, "--quiet")
    const acknowledged = await added(server, 10)
    renameSync(db, `${db}.b`)
    await expectRefusal(server)
    return { db, server, acknowledged }
  }

  test("is not replaced by a new one while its log is there, and the server continues once it is back", async () => {
    const { db, server, acknowledged } = await moved()
    for (const args of [["seed"], ["keys", "create", "--plan", "pro"], ["serve", "--port", "0"]]) {
      const { code, stderr } = await petstore([...args, "--db", db])
      expect([code, stderr]).toEqual([1, expect.stringContaining("put that file back")])
    }
    renameSync(`${db}.b`, db)
    expect(await healthOf(server)).toEqual([200, 200])
    acknowledged.push(...(await added(server, 10)))
    server.child.kill("SIGKILL")
    await server.ended
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "has everything that was acknowledged when it is back after the server's end by %s",
    async (signal) => {
      const { db, server, acknowledged } = await moved()
      server.child.kill(signal)
      await server.ended
      renameSync(`${db}.b`, db)
      expect(await categoriesIn(db)).toEqual(acknowledged)
    }
  )

  test("is not restored over under its old name while the server uses the log", async () => {
    const { db, server, acknowledged } = await moved()
    const other = join(newFolder(), "other.db")
    const copy = join(newFolder(), "copy.db")
    await petstoreJson("seed", "--db", other)
    await petstoreJson("backup", copy, "--db", other)
    const { code, stderr } = await petstore(["restore", copy, "--db", db])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`in use by process ${server.child.pid}`)
    ])
    for (const command of ["status", "verify"]) {
      const told = (await petstore([command, "--db", db])).stderr
      expect(told).toContain("is left of a file that had this name")
    }
    server.child.kill("SIGKILL")
    await server.ended
    renameSync(`${db}.b`, db)
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })

  test("has it under its new name too, once the server was stopped", async () => {
    const { db, server, acknowledged } = await moved()
    server.child.kill("SIGTERM")
    await server.ended
    expect(await categoriesIn(`${db}.b`)).toEqual(acknowledged)
  })

  test("has it under its new name after a SIGKILL if its log is moved along", async () => {
    const { db, server, acknowledged } = await moved()
    server.child.kill("SIGKILL")
    await server.ended
    renameSync(`${db}-wal`, `${db}.b-wal`)
    expect(await categoriesIn(`${db}.b`)).toEqual(acknowledged)
  })

  test("is refused under its new name while the server lives, whose log is under the old one", async () => {
    const { db } = await moved()
    const copy = join(newFolder(), "copy.db")
    const refusals = await Promise.all(
      [["serve", "--port", "0"], ["verify"], ["backup", copy]].map((args) =>
        petstore([...args, "--db", `${db}.b`])
      )
    )
    for (const { code, stderr } of refusals) {
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("is open in another process under another name")
      ])
    }
    expect(existsSync(copy)).toBe(false)
  })
})

describe("a part of a store that is deleted under its server", { timeout: 120_000 }, () => {
  test.each([
    ["-wal", "SIGKILL"],
    ["-wal", "SIGTERM"],
    ["-shm", "SIGKILL"],
    ["-shm", "SIGTERM"]
  ] as const)(
    "%s: it takes no more, and has lost nothing when it ends by %s",
    async (suffix, signal) => {
      const db = newFile()
      const server = await served("--db", db, "--quiet")
      const acknowledged = await added(server, 20)
      rmSync(db + suffix)
      await expectRefusal(server)
      expect(complaints(server)).toEqual([
        expect.stringContaining("a.db has lost its log (-wal, -shm)")
      ])
      server.child.kill(signal)
      await server.ended
      expect(await categoriesIn(db)).toEqual(acknowledged)
    }
  )

  test("-wal, which another process then makes anew: that is noticed too", async () => {
    const db = newFile()
    const server = await served("--db", db, "--quiet")
    const acknowledged = await added(server, 20)
    rmSync(`${db}-wal`)
    writeFileSync(`${db}-wal`, "")
    await expectRefusal(server)
    server.child.kill("SIGKILL")
    await server.ended
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })

  test("what is in the file, by truncation: it takes no more", async () => {
    const db = newFile()
    const server = await served("--db", db, "--quiet")
    await added(server, 5)
    truncateSync(db)
    await expectRefusal(server)
    expect(complaints(server)).toEqual([expect.stringContaining("a.db was emptied")])
  })
})

describe("a file that is replaced under its server", { timeout: 120_000 }, () => {
  test("with its log, by a new store: the old server stores nothing, and its end harms neither", async () => {
    const db = newFile()
    const old = await served("--db", db, "--quiet")
    const before = await added(old, 10)
    const kept = join(newFolder(), "kept.db")
    move(db, kept)
    const current = await served("--db", db, "--quiet")
    const after = await added(current, 10)
    await expectRefusal(old)
    expect(complaints(old)).toEqual([expect.stringContaining("a.db was replaced by another file")])
    old.child.kill("SIGTERM")
    expect((await old.ended).code).toBe(0)
    expect(readdirSync(join(db, "..")).toSorted()).toEqual(["a.db", "a.db-shm", "a.db-wal"])
    after.push(...(await added(current, 10)))
    current.child.kill("SIGKILL")
    await current.ended
    expect(await categoriesIn(db)).toEqual(after)
    expect(await categoriesIn(kept)).toEqual(before)
  })

  test("while it was stopped by a signal: it stores nothing when it continues", async () => {
    const db = newFile()
    const old = await served("--db", db, "--quiet")
    const before = await added(old, 10)
    old.child.kill("SIGSTOP")
    const kept = join(newFolder(), "kept.db")
    move(db, kept)
    const current = await served("--db", db, "--quiet")
    const after = await added(current, 10)
    old.child.kill("SIGCONT")
    await expectRefusal(old)
    old.child.kill("SIGKILL")
    current.child.kill("SIGKILL")
    await Promise.all([old.ended, current.ended])
    expect(await categoriesIn(db)).toEqual(after)
    expect(await categoriesIn(kept)).toEqual(before)
  })

  test("by a copy of itself without its log: others find what the log has", async () => {
    const db = newFile()
    const old = await served("--db", db, "--quiet")
    const acknowledged = await added(old, 10)
    const away = join(newFolder(), "away.db")
    renameSync(db, away)
    const copy = join(newFolder(), "copy.db")
    copyFileSync(away, copy)
    await expectRefusal(old)
    renameSync(copy, db)
    const current = await served("--db", db, "--quiet")
    acknowledged.push(...(await added(current, 10, old.key)))
    await expectRefusal(old)
    for (const { child } of [old, current]) child.kill("SIGKILL")
    await Promise.all([old.ended, current.ended])
    expect(await categoriesIn(db)).toEqual(acknowledged)
  })

  test("by a backup that was moved over it: the log of the old file is not replayed into it", async () => {
    const db = newFile()
    const server = await served("--db", db, "--quiet")
    const before = await added(server, 10)
    const copy = join(newFolder(), "copy.db")
    await petstoreJson("backup", copy, "--db", db)
    await added(server, 10)
    renameSync(copy, db)
    await expectRefusal(server)
    server.child.kill("SIGTERM")
    await server.ended
    const { code, stderr } = await petstore(["verify", "--db", db])
    expect([code, stderr]).toEqual([1, expect.stringContaining("a.db-wal does not belong to")])
    for (const suffix of ["-wal", "-shm"]) renameSync(db + suffix, `${db}.old${suffix}`)
    expect(await categoriesIn(db)).toEqual(before)
  })
})
