import { spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { driverOf } from "../src/driver/driverOf.js"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { publishDraft } from "../src/connection/createFile.js"
import { backup, restore } from "../src/index.js"
import { aFile, aFolder, openingFailure, openStore } from "./aFile.js"

/** The id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid

/** The id of a process that runs until the test is over. */
const livingPid = (): number => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1_000)"])
  onTestFinished(() => void child.kill())
  return child.pid ?? 0
}

const draftBeside = (path: string, pid: number): string => {
  const draft = `${path}.new-${pid}-${randomUUID()}`
  writeFileSync(draft, "half of a copy")
  return draft
}

const namesBeside = (path: string): ReadonlyArray<string> =>
  readdirSync(dirname(path))
    .toSorted()
    .map((name) => join(dirname(path), name))

const aStoreWithABackup = async () => {
  const filename = aFile()
  const store = await openStore({ filename })
  await store.close()
  const copy = join(aFolder(), "copy.db")
  await Effect.runPromise(backup({ filename, destination: copy }))
  return { filename, copy }
}

describe("a draft gets its name", () => {
  const aDraftWithALog = () => {
    const path = aFile()
    const draft = `${path}.draft`
    const file = openSqlite(draft)
    file.pragma("journal_mode = WAL")
    file.exec("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    return { path, draft, file }
  }

  test("with all that was written to it in one file", async () => {
    const { path, draft, file } = aDraftWithALog()
    for (const suffix of ["", "-wal"]) copyFileSync(draft + suffix, `${path}.copy${suffix}`)
    file.close()
    publishDraft(driverOf(), `${path}.copy`, path)
    const put = openSqlite(path)
    expect(put.values("SELECT a FROM t").get()).toBe(7)
    put.close()
  })

  test("only if it can be written, and nothing is beside it", () => {
    const { path, draft, file } = aDraftWithALog()
    file.values("SELECT a FROM t").get()
    expect(() => publishDraft(driverOf(), draft, path)).toThrow(/locked/)
    file.close()
    mkdirSync(`${draft}-shm`)
    expect(() => publishDraft(driverOf(), draft, path)).toThrow()
    rmdirSync(`${draft}-shm`)
    expect(existsSync(path)).toBe(false)
    publishDraft(driverOf(), draft, path)
  })
})

test("a copy whose draft is removed by another container fails, and changes nothing", async () => {
  const { filename, copy } = await aStoreWithABackup()
  const bytes = readFileSync(filename)
  const onCheck = () => {
    for (const name of namesBeside(filename)) if (name.includes(".new-")) rmSync(name)
  }
  await expect(
    Effect.runPromise(restore({ backup: copy, filename, onCheck }))
  ).rejects.toBeDefined()
  const destination = `${filename}.monday`
  await expect(Effect.runPromise(backup({ filename, destination, onCheck }))).rejects.toBeDefined()
  expect(namesBeside(filename)).toEqual([filename])
  expect(readFileSync(filename).equals(bytes)).toBe(true)
})

describe("what a killed copy left behind", () => {
  test("is removed by the next restore of that name, with what SQLite left beside it", async () => {
    const { filename, copy } = await aStoreWithABackup()
    const pid = endedPid()
    for (const end of ["", ".before-upgrade-20261129T101500Z"]) draftBeside(filename + end, pid)
    const draft = draftBeside(filename, pid)
    for (const end of ["-wal", "-journal", `.new-${pid}-${randomUUID()}`])
      writeFileSync(draft + end, "")
    const { moved } = await Effect.runPromise(restore({ backup: copy, filename }))
    expect(readdirSync(dirname(filename)).toSorted()).toEqual(
      [filename, moved[0]?.to ?? ""].map((each) => basename(each))
    )
  })

  test("is removed by the next backup of that name", async () => {
    const { filename } = await aStoreWithABackup()
    const destination = join(aFolder(), "monday.db")
    draftBeside(destination, endedPid())
    await Effect.runPromise(backup({ filename, destination }))
    expect(readdirSync(dirname(destination))).toEqual(["monday.db"])
  })

  test("is removed although this process has the id of the killed one, as in a container", async () => {
    const { filename, copy } = await aStoreWithABackup()
    const draft = draftBeside(filename, process.pid)
    utimesSync(draft, 1_000_000, 1_000_000)
    await Effect.runPromise(restore({ backup: copy, filename }))
    expect(readdirSync(dirname(filename))).not.toContain(basename(draft))
  })

  test("is left alone while its process runs; so is what only looks like it, and what belongs to another file", async () => {
    const { filename, copy } = await aStoreWithABackup()
    const kept = [
      draftBeside(filename, livingPid()),
      draftBeside(filename, process.pid),
      draftBeside(join(dirname(filename), "other.db"), endedPid()),
      `${filename}.new-${endedPid()}-mine`,
      `${filename}.new-prices`
    ]
    for (const name of kept) writeFileSync(name, "kept")
    await Effect.runPromise(restore({ backup: copy, filename }))
    expect(readdirSync(dirname(filename))).toEqual(
      expect.arrayContaining(kept.map((each) => basename(each)))
    )
  })
})

describe("a file that a restore is about to replace, which has two names for a moment,", () => {
  const between = async (pid: number) => {
    const { filename } = await aStoreWithABackup()
    linkSync(filename, `${filename}.replaced-20261129T101500Z`)
    const draft = draftBeside(filename, pid)
    return { filename, draft, failure: await openingFailure({ filename, busyMs: 0 }) }
  }

  test("is busy to who opens it, and can be opened when that is over", async () => {
    const { filename, draft, failure } = await between(livingPid())
    expect([failure?.reason, failure?.detail]).toEqual([
      "Busy",
      expect.stringContaining("is being replaced by a restore")
    ])
    rmSync(`${filename}.replaced-20261129T101500Z`)
    rmSync(draft)
    expect(await openingFailure({ filename })).toBeUndefined()
  })

  test("is that of a killed restore: the next one uses the name, and can be undone", async () => {
    const { filename, copy } = await aStoreWithABackup()
    const names = ["20261129T101500Z", "20261129T101500Z-2"].map(
      (stamp) => `${filename}.replaced-${stamp}`
    )
    for (const name of names) linkSync(filename, name)
    draftBeside(filename, endedPid())
    const { moved } = await Effect.runPromise(restore({ backup: copy, filename }))
    expect(moved).toEqual([{ from: filename, to: names[0] }])
    expect(namesBeside(filename)).toEqual([filename, names[0]])
    await Effect.runPromise(restore({ backup: names[0] ?? "", filename }))
    expect(await openingFailure({ filename })).toBeUndefined()
  })

  test("is not when the restore was killed: then its second name is told, which is to be removed", async () => {
    const { failure } = await between(endedPid())
    expect([failure?.reason, failure?.detail]).toEqual([
      "Unavailable",
      expect.stringMatching(
        /has 2 names \(hard links: .*\.replaced-20261129T101500Z\): a restore was killed .* run it again/
      )
    ])
  })
})

describe("a file that a restore has moved before it was killed, as it does without hard links,", () => {
  const KEPT = ".replaced-20261129T101500Z"

  const aMovedStore = async (pid: number) => {
    const { filename, copy } = await aStoreWithABackup()
    const store = await openStore({ filename })
    const { id } = store.direct.categories.create({ name: "Since the backup" })
    await store.close()
    renameSync(filename, filename + KEPT)
    const draft = draftBeside(filename, pid)
    return { filename, copy, draft, id }
  }

  test("is not taken for one that was never there: no store is made, and it is told what to do", async () => {
    const { filename, draft } = await aMovedStore(endedPid())
    const failure = await openingFailure({ filename })
    expect([failure?.reason, failure?.detail]).toEqual([
      "Unavailable",
      expect.stringMatching(
        /does not exist, and .*\.replaced-20261129T101500Z is what a restore kept.* run it again; .*mv -n/
      )
    ])
    expect(namesBeside(filename)).toEqual([draft, filename + KEPT].toSorted())
    rmSync(draft)
    expect((await openingFailure({ filename }))?.reason).toBe("Unavailable")
    renameSync(filename + KEPT, `${dirname(filename)}/old.db`)
    expect(await openingFailure({ filename })).toBeUndefined()
  })

  test("is busy while the restore runs", async () => {
    const { filename } = await aMovedStore(livingPid())
    expect((await openingFailure({ filename, busyMs: 0 }))?.reason).toBe("Busy")
  })

  test("gets its name back from the next restore, which carries over what it gave", async () => {
    const { filename, copy, id } = await aMovedStore(endedPid())
    writeFileSync(`${filename}${KEPT}-wal`, "")
    const { moved, carried } = await Effect.runPromise(restore({ backup: copy, filename }))
    expect([moved.map(({ from }) => from), carried.ids]).toEqual([[filename], 1])
    expect(namesBeside(filename)).toEqual([filename, moved[0]?.to])
    const store = await openStore({ filename })
    expect(store.direct.categories.create({ name: "Next" }).id).toBe(id + 1)
  })

  test("can be restored by its kept name, like any other", async () => {
    const { filename } = await aMovedStore(endedPid())
    const { moved } = await Effect.runPromise(restore({ backup: filename + KEPT, filename }))
    expect(moved).toEqual([])
    expect(namesBeside(filename)).toEqual([filename, filename + KEPT])
  })
})
