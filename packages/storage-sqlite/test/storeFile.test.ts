/** What happens to a store's file outside its transactions. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import type { OpenPetStore } from "@petstore/core"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { parseMounts, type System, unsuitableFileSystem } from "../src/connection/fileSystem.js"
import { backup, verify } from "../src/index.js"
import { aFile, aFolder, openingFailure, openStore } from "./aFile.js"

const COMPANIONS = ["-wal", "-shm"]

const add = (store: OpenPetStore, count: number): void => {
  for (let at = 0; at < count; at++) store.direct.categories.create({ name: `category ${at}` })
}

/** A store that was closed, with something in it. */
const aStore = async (categories = 1): Promise<string> => {
  const filename = aFile()
  const store = await openStore({ filename })
  add(store, categories)
  await store.close()
  return filename
}

/**
 * The file and log of a store as its process leaves them when it is killed after so many commits.
 */
const aKilledStore = async (commits: number): Promise<string> => {
  const original = await aStore()
  const store = await openStore({ filename: original })
  add(store, commits)
  const filename = aFile()
  for (const suffix of ["", ...COMPANIONS]) copyFileSync(original + suffix, filename + suffix)
  return filename
}

const contents = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .toSorted()
    .map((name) => `${name}: ${readFileSync(join(folder, name), "base64")}`)

/** Why the file is refused; nothing in its folder may have changed. */
const refusalOf = async (filename: string): Promise<string> => {
  const before = contents(dirname(filename))
  const failure = await openingFailure({ filename })
  expect(contents(dirname(filename))).toEqual(before)
  return failure === undefined ? "opened" : `${failure.reason}: ${failure.detail}`
}

const categoriesIn = async (filename: string): Promise<number> => {
  const store = await openStore({ filename })
  const { total } = store.direct.categories.list({ limit: 1, total: true })
  await store.close()
  return total ?? 0
}

describe("what a file of the same name has left", () => {
  test.each(["-wal", "-shm", "-journal"])(
    "as %s is not taken over by a new one",
    async (suffix) => {
      const filename = aFile()
      writeFileSync(filename + suffix, "left over")
      const refusal = await refusalOf(filename)
      expect(refusal).toContain(
        `${filename} does not exist, and ${filename}${suffix} is left of a file that had this name`
      )
      expect(refusal).toContain(`move ${basename(filename)}${suffix} out of the way`)
    }
  )

  test("is not taken over by a backup", async () => {
    const filename = await aStore()
    const destination = join(aFolder(), "copy.db")
    writeFileSync(`${destination}-wal`, "left over")
    const failure = await Effect.runPromise(Effect.flip(backup({ filename, destination })))
    expect(failure.detail).toContain("is left of a file that had this name")
    expect(readdirSync(dirname(destination))).toEqual(["copy.db-wal"])
  })

  test("of a store that was deleted but for its log is refused, and works again once it is back", async () => {
    const filename = await aKilledStore(3)
    renameSync(filename, `${filename}.away`)
    expect(await refusalOf(filename)).toContain("put that file back")
    renameSync(`${filename}.away`, filename)
    expect(await categoriesIn(filename)).toBe(4)
  })
})

describe("a log that belongs to another file, or to another state of the file, is not replayed", () => {
  const refused =
    /-wal does not belong to .*: it is the log of another file or of another state of this one/

  test("where a backup was copied over a store whose process was killed", async () => {
    const original = await aStore()
    const destination = join(aFolder(), "backup.db")
    await Effect.runPromise(backup({ filename: original, destination }))
    const filename = await aKilledStore(3)
    copyFileSync(destination, filename)
    expect(await refusalOf(filename)).toMatch(refused)
    await expect(Effect.runPromise(verify({ filename }))).rejects.toThrow(refused)
    await expect(
      Effect.runPromise(backup({ filename, destination: `${filename}.copy` }))
    ).rejects.toThrow(refused)
    for (const suffix of COMPANIONS) rmSync(filename + suffix)
    expect(await categoriesIn(filename)).toBe(1)
  })

  test("where a copy that was made by hand while the store was stopped was put back", async () => {
    const filename = await aStore()
    const copy = join(aFolder(), "copy.db")
    copyFileSync(filename, copy)
    const store = await openStore({ filename })
    add(store, 3)
    const killed = aFile()
    for (const suffix of COMPANIONS) copyFileSync(filename + suffix, killed + suffix)
    copyFileSync(copy, killed)
    expect(await refusalOf(killed)).toMatch(refused)
  })

  test("where two stores were mixed up", async () => {
    const [one, two] = [await aKilledStore(2), await aKilledStore(2)]
    copyFileSync(`${two}-wal`, `${one}-wal`)
    expect(await refusalOf(one)).toMatch(refused)
  })

  test("but its own is, however long it is, and wherever both are moved to", async () => {
    for (const commits of [1, 5, 400]) {
      const filename = await aKilledStore(commits)
      const moved = aFile()
      for (const suffix of ["", ...COMPANIONS]) renameSync(filename + suffix, moved + suffix)
      expect(await categoriesIn(moved)).toBe(commits + 1)
      expect(await Effect.runPromise(verify({ filename: moved }))).toEqual([])
    }
  })

  test("nor is the log refused that has nothing but the beginning of a session", async () => {
    const filename = await aStore()
    const file = openSqlite(filename)
    const version = Number(file.pragma("user_version"))
    file.pragma("wal_autocheckpoint = 0")
    file.pragma(`user_version = ${((((version >>> 8) + 1) % 2 ** 23) << 8) | (version & 0xff)}`)
    const killed = aFile()
    for (const suffix of ["", ...COMPANIONS]) copyFileSync(filename + suffix, killed + suffix)
    file.close()
    expect(await categoriesIn(killed)).toBe(1)
  })

  test("a session begins with the first write to a file without a log, and not with a read", async () => {
    const filename = await aStore()
    const versionIn = (path: string): number => readFileSync(path).readInt32BE(60)
    const before = versionIn(filename)
    expect(await categoriesIn(filename)).toBe(1)
    expect(versionIn(filename)).toBe(before)
    const store = await openStore({ filename })
    add(store, 1)
    const during = versionIn(filename)
    expect([during === before, during & 0xff]).toEqual([false, before & 0xff])
    add(store, 200)
    await store.close()
    expect(versionIn(filename)).toBe(during)
  })
})

describe("a second name of a file", () => {
  test("is refused, as what is written through one would be lost to the other", async () => {
    const filename = await aStore()
    const other = join(dirname(filename), "other.db")
    linkSync(filename, other)
    for (const name of [filename, other]) {
      expect(await refusalOf(name)).toMatch(
        /^Unavailable: .* has 2 names \(hard links: .*\): .*; remove the others$/
      )
      const destination = join(aFolder(), "copy.db")
      const failure = await Effect.runPromise(Effect.flip(backup({ filename: name, destination })))
      expect(failure.detail).toContain("remove the others")
    }
    rmSync(other)
    expect(await categoriesIn(filename)).toBe(1)
  })

  test("is refused to who only looks, too: the log of the other name would be missing", async () => {
    const filename = await aStore()
    const other = join(dirname(filename), "other.db")
    linkSync(filename, other)
    const store = { filename: other }
    const folder = dirname(filename)
    const before = contents(folder)
    for (const failure of [
      await Effect.runPromise(Effect.flip(verify(store))),
      await Effect.runPromise(
        Effect.flip(backup({ ...store, destination: join(aFolder(), "copy.db") }))
      )
    ]) {
      expect(failure.detail).toMatch(/other\.db has 2 names \(hard links: .*pets\.db\)/)
    }
    expect(contents(folder)).toEqual(before)
  })

  test("is taken away where it is the draft of a process that was killed while it made the file", async () => {
    const filename = await aStore()
    linkSync(filename, `${filename}.new-12345-678`)
    expect(await categoriesIn(filename)).toBe(1)
    expect(readdirSync(dirname(filename))).toEqual([basename(filename)])
  })

  test("is told from symbolic links in the folder, also from those that lead nowhere or in a circle", async () => {
    const filename = await aStore()
    const folder = dirname(filename)
    symlinkSync("circle.db", join(folder, "circle.db"))
    symlinkSync("missing.db", join(folder, "nowhere.db"))
    symlinkSync(basename(filename), join(folder, "link.db"))
    const other = join(folder, "other.db")
    linkSync(filename, other)
    expect((await openingFailure({ filename }))?.detail).toContain(
      `has 2 names (hard links: ${other})`
    )
    rmSync(other)
    linkSync(filename, `${filename}.new-12345-678`)
    expect(await categoriesIn(filename)).toBe(1)
  })

  test("that is a symbolic link is none: both have one log", async () => {
    const filename = await aStore()
    const link = join(aFolder(), "link.db")
    symlinkSync(filename, link)
    const [one, two] = [await openStore({ filename }), await openStore({ filename: link })]
    add(one, 3)
    add(two, 3)
    for (const store of [one, two])
      expect(store.direct.categories.list({ total: true, limit: 1 }).total).toBe(7)
    expect(readdirSync(dirname(link))).toEqual(["link.db"])
  })
})

describe("names that mean something else to SQLite are refused", () => {
  test.each(["", ":memory:", "file:x.db?mode=ro", "FILE:/x.db"])("%s", async (filename) => {
    const folder = aFolder()
    const before = process.cwd()
    process.chdir(folder)
    try {
      for (const failure of [
        await openingFailure({ filename }),
        await Effect.runPromise(Effect.flip(verify({ filename }))),
        await Effect.runPromise(Effect.flip(backup({ filename, destination: "copy.db" }))),
        await Effect.runPromise(
          Effect.flip(backup({ filename: await aStore(), destination: filename }))
        )
      ]) {
        expect(failure?.reason).toBe("Unavailable")
        expect(failure?.detail).toMatch(/names no file: .*MemoryStorage, petstore serve --memory/)
      }
      expect(readdirSync(folder)).toEqual([])
    } finally {
      process.chdir(before)
    }
  })

  test("a link to a folder that does not exist is one too, and is told where it leads", async () => {
    const filename = aFile()
    symlinkSync("missing/shop.db", filename)
    expect((await openingFailure({ filename }))?.detail).toBe(
      `${filename} is a link to ${join(dirname(filename), "missing/shop.db")}, whose folder does not exist`
    )
  })
})

describe("a file that goes away while it is open", () => {
  const lost = (what: string) =>
    expect.objectContaining({ reason: "Unavailable", detail: expect.stringContaining(what) })

  test("by deletion takes no writes, says so for each kind of write, and reads no more after a while", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    add(store, 1)
    for (const suffix of ["", ...COMPANIONS]) rmSync(filename + suffix)
    const failure = lost("was deleted or moved away while it was open: nothing more is stored")
    expect(store.engine.isReady()).toBe(false)
    expect(() => store.direct.categories.create({ name: "Fish" })).toThrow(failure)
    const written = Array.from({ length: 8 }, () => store.categories.create({ name: "Fish" }))
    for (const each of await Promise.allSettled(written)) {
      expect(each.status === "rejected" && each.reason).toEqual(failure)
    }
    expect(() => store.direct.categories.list()).toThrow(failure)
    await store.close()
    expect(readdirSync(dirname(filename))).toEqual([])
  })

  test("by deletion is noticed by who only reads", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    rmSync(filename)
    let reads = 0
    expect(() => {
      for (; reads < 10_000; reads++) store.direct.categories.get(1)
    }).toThrow(lost("was deleted or moved away"))
    expect(reads).toBeLessThan(200)
  })

  test("under another name goes on once it has its own again, with what was acknowledged", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    add(store, 1)
    renameSync(filename, `${filename}.moved`)
    expect(() => add(store, 1)).toThrow(lost("was deleted or moved away"))
    expect(await openingFailure({ filename })).toMatchObject({ reason: "Unavailable" })
    renameSync(`${filename}.moved`, filename)
    expect(store.engine.isReady()).toBe(true)
    add(store, 1)
    expect(store.direct.categories.list({ total: true, limit: 1 }).total).toBe(3)
  })

  test("to another name can't be opened, verified or backed up there: what is in its log would be missing", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    add(store, 3)
    const moved = join(aFolder(), "moved.db")
    renameSync(filename, moved)
    const detail = expect.stringContaining("is open in another process under another name")
    expect(await openingFailure({ filename: moved, busyMs: 20 })).toMatchObject({
      reason: "Busy",
      detail
    })
    expect(readdirSync(dirname(moved))).toEqual(["moved.db"])
    renameSync(moved, filename)
    add(store, 1)
    await store.close()
    expect(await categoriesIn(filename)).toBe(5)
  })

  test("by replacement leaves the new file and its log alone, also when it is closed", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    add(store, 5)
    for (const suffix of ["", ...COMPANIONS]) rmSync(filename + suffix)
    const another = await openStore({ filename })
    add(another, 2)
    expect(() => add(store, 1)).toThrow(lost("was replaced by another file"))
    await store.close()
    expect(COMPANIONS.map((suffix) => existsSync(filename + suffix))).toEqual([true, true])
    add(another, 1)
    await another.close()
    expect(await categoriesIn(filename)).toBe(3)
  })

  test.each(["-wal", "-shm", "-wal and -shm"])(
    "with %s deleted takes no writes: others would have a log of their own",
    async (which) => {
      const filename = await aStore()
      const store = await openStore({ filename })
      add(store, 1)
      for (const suffix of which.split(" and ")) rmSync(filename + suffix)
      expect(() => add(store, 1)).toThrow(lost("has lost its log (-wal, -shm)"))
    }
  )

  test("with its log replaced takes no writes, and what was acknowledged goes into the file", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    add(store, 3)
    rmSync(`${filename}-wal`)
    writeFileSync(`${filename}-wal`, "")
    expect(() => add(store, 1)).toThrow(lost("has lost its log (-wal, -shm)"))
    const copy = aFile()
    copyFileSync(filename, copy)
    expect(await categoriesIn(copy)).toBe(4)
  })

  test("under another name, without its log, has all that was acknowledged when it is closed", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    add(store, 3)
    const moved = join(aFolder(), "moved.db")
    renameSync(filename, moved)
    await store.close()
    expect(await categoriesIn(moved)).toBe(4)
  })

  test("by truncation takes no writes", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    add(store, 1)
    truncateSync(filename)
    expect(() => add(store, 1)).toThrow(lost("was emptied while it was open"))
  })

  test.each([0, 1])(
    "with its folder, in whose place is a file, is Unavailable and no defect, after %i writes",
    async (writes) => {
      const folder = join(aFolder(), "data")
      mkdirSync(folder)
      const store = await openStore({ filename: join(folder, "pets.db") })
      add(store, writes)
      renameSync(folder, `${folder}.moved`)
      writeFileSync(folder, "")
      expect(() => add(store, 1)).toThrow(lost(""))
      expect(store.engine.isReady()).toBe(false)
    }
  )
})

describe("a file system", () => {
  const on = (type: string, magic: number, point = "/data"): System => ({
    magicOf: () => magic,
    mounts: () => [
      { point: "/", type: "ext4" },
      { point, type }
    ]
  })

  test.each([
    ["NFS", on("nfs4", 0x6969)],
    ["SMB", on("cifs", 0xfe534d42)],
    ["CIFS", on("cifs", 0xff534d42)],
    ["Ceph", on("ceph", 0x00c36400)],
    ["sshfs", on("fuse.sshfs", 0x65735546)]
  ])("of the network (%s) is refused by name", (name, system) => {
    expect(unsuitableFileSystem("/data/shop.db", system)).toContain(
      `is on a network file system (${name})`
    )
  })

  test("of this machine is taken, whatever else is mounted", () => {
    expect(unsuitableFileSystem("/data/shop.db", on("ext4", 0xef53))).toBeUndefined()
    expect(
      unsuitableFileSystem("/data/shop.db", on("fuse.sshfs", 0xef53, "/data/sub"))
    ).toBeUndefined()
    expect(unsuitableFileSystem("/data/shop.db", on("fuse.mergerfs", 0x65735546))).toBeUndefined()
    expect(unsuitableFileSystem("/database/shop.db", on("fuse.sshfs", 0x65735546))).toBeUndefined()
    expect(
      unsuitableFileSystem("/data/shop.db", { magicOf: () => undefined, mounts: () => [] })
    ).toBeUndefined()
  })

  test("that is the file itself, mounted alone, is refused: its log is not in the folder of the mount", () => {
    expect(unsuitableFileSystem("/data/shop.db", on("ext4", 0xef53, "/data/shop.db"))).toContain(
      "is mounted as a single file"
    )
  })

  test("is read from the system's list of mounts, with blanks in names", () => {
    const line = String.raw`36 35 98:0 /mnt1 /my\040data rw,noatime master:1 - fuse.sshfs host:/x rw`
    expect(parseMounts(`${line}\n\n`)).toEqual([{ point: "/my data", type: "fuse.sshfs" }])
  })

  test("on which files are made is looked at as it is", () => {
    const folder = join(aFolder(), "data")
    mkdirSync(folder)
    expect(unsuitableFileSystem(join(folder, "shop.db"))).toBeUndefined()
    expect(statSync(folder).isDirectory()).toBe(true)
  })
})
