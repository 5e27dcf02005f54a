import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { describe, expect, test } from "vitest"
import { openingFailure as failureFor } from "../src/connection/openingFailure.js"
import { aFile, aFolder, openingFailure, openStore } from "./aFile.js"

/** Every file of a folder with its bytes, for finding out whether anything changed. */
const contents = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      return `${name}: ${statSync(path).isFile() ? readFileSync(path, "base64") : "folder"}`
    })

/** A store that was closed, with something in it. */
const aStore = async (): Promise<string> => {
  const filename = aFile()
  const store = await openStore({ filename })
  store.direct.categories.create({ name: "Fish" })
  await store.close()
  return filename
}

/**
 * The reason a file is refused, provided that its path is in the message and nothing beside or in
 * it changed.
 */
const refusalOf = async (filename: string): Promise<string> => {
  const before = contents(dirname(filename))
  const failure = await openingFailure({ filename })
  if (failure === undefined) return "opened"
  expect(failure.message).toContain(filename)
  expect(contents(dirname(filename))).toEqual(before)
  return failure.reason
}

describe("a new file", () => {
  test("is readable by its owner only, also under an open umask, and nothing is left beside it when it is closed", async () => {
    const before = process.umask(0)
    const filename = await aStore()
    process.umask(before)
    expect(statSync(filename).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(filename))).toEqual(["pets.db"])
  })

  test("has its log readable by its owner only while it is open", async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    store.direct.categories.create({ name: "Fish" })
    for (const suffix of ["-wal", "-shm"])
      expect(statSync(filename + suffix).mode & 0o777).toBe(0o600)
  })

  test("is made once, however many open it at the same time", async () => {
    const filename = aFile()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ filename })))
    stores.forEach((store, number) => store.direct.categories.create({ name: `${number}` }))
    for (const store of stores) expect(store.direct.categories.list().items).toHaveLength(8)
  })

  test("may be named from where the process is, and stays where it was", async () => {
    const folder = aFolder()
    const before = process.cwd()
    process.chdir(folder)
    const store = await openStore({ filename: "memory" })
    process.chdir(before)
    store.direct.categories.create({ name: "Fish" })
    expect(statSync(join(folder, "memory")).size).toBeGreaterThan(0)
  })

  test("is made behind a link that leads nowhere yet", async () => {
    const folder = aFolder()
    mkdirSync(join(folder, "data"))
    symlinkSync("data/shop.db", join(folder, "middle.db"))
    symlinkSync("middle.db", join(folder, "pets.db"))
    const store = await openStore({ filename: join(folder, "pets.db") })
    store.direct.categories.create({ name: "Fish" })
    expect(readdirSync(join(folder, "data")).toSorted()).toEqual([
      "shop.db",
      "shop.db-shm",
      "shop.db-wal"
    ])
    expect(lstatSync(join(folder, "pets.db")).isSymbolicLink()).toBe(true)
  })
})

describe("an existing file", () => {
  test("has what was stored in it", async () => {
    const filename = await aStore()
    const store = await openStore({ filename })
    expect(store.direct.categories.list().items.map(({ name }) => name)).toEqual(["Fish"])
  })

  test("may be behind a symbolic link", async () => {
    const filename = await aStore()
    const link = join(aFolder(), "link.db")
    symlinkSync(filename, link)
    const store = await openStore({ filename: link })
    expect(store.direct.categories.list().items).toHaveLength(1)
  })

  test("whose last process was killed has everything that is in its log", async () => {
    const filename = aFile()
    const store = await openStore({ filename })
    store.direct.categories.create({ name: "Fish" })
    const copy = join(aFolder(), "pets.db")
    for (const suffix of ["", "-wal"]) copyFileSync(filename + suffix, copy + suffix)
    chmodSync(copy, 0o600)
    const reopened = await openStore({ filename: copy })
    expect(reopened.direct.categories.list().items).toHaveLength(1)
  })
})

describe("what is not a whole store is refused with its path, and nothing changes", () => {
  test("a file of something else", async () => {
    const filename = aFile()
    writeFileSync(filename, "name,price\nGoldie,3\n".repeat(1_000))
    expect(await refusalOf(filename)).toBe("Corrupt")
  })

  test("a file too short to be any", async () => {
    const filename = aFile()
    writeFileSync(filename, "SQLite format 3\u0000")
    expect(await refusalOf(filename)).toBe("Corrupt")
  })

  test("an empty file", async () => {
    const filename = aFile()
    writeFileSync(filename, "")
    expect(await refusalOf(filename)).toBe("Corrupt")
  })

  test("a file that was cut off, wherever", async () => {
    const filename = await aStore()
    const { size } = statSync(filename)
    for (const bytes of [size - 1, size - 4_096, size / 2, 4_096, 100, 99, 1]) {
      truncateSync(filename, bytes)
      expect([bytes, await refusalOf(filename)]).toEqual([bytes, "Corrupt"])
    }
  })

  test("a SQLite file of another application", async () => {
    const filename = aFile()
    const file = openSqlite(filename)
    file.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    file.close()
    expect(await refusalOf(filename)).toBe("Unavailable")
  })

  test("a schema from a newer version", async () => {
    const filename = await aStore()
    const file = openSqlite(filename)
    file.pragma("user_version = 999")
    file.close()
    expect(await refusalOf(filename)).toBe("NewerVersion")
  })

  test("a schema from a newer version that is only in the log of a process that was killed", async () => {
    const original = await aStore()
    const file = openSqlite(original)
    file.pragma("user_version = 999")
    const filename = aFile()
    for (const suffix of ["", "-wal"]) copyFileSync(original + suffix, filename + suffix)
    file.close()
    expect(await refusalOf(filename)).toBe("NewerVersion")
  })

  test("a folder", async () => {
    const filename = aFile()
    mkdirSync(filename)
    expect(await refusalOf(filename)).toBe("Unavailable")
  })

  test("a file in a folder that is not there, or is no folder", async () => {
    const folder = aFolder()
    const missing = join(folder, "missing", "pets.db")
    expect((await openingFailure({ filename: missing }))?.message).toContain(missing)
    writeFileSync(join(folder, "file"), "")
    const inFile = join(folder, "file", "pets.db")
    expect((await openingFailure({ filename: inFile }))?.reason).toBe("Unavailable")
    expect(readdirSync(folder)).toEqual(["file"])
  })

  test("a file that is read-only, also to root", async () => {
    const filename = await aStore()
    chmodSync(filename, 0o444)
    expect(await refusalOf(filename)).toBe("ReadOnly")
  })

  test("a folder that is read-only, also to root, whether or not the file is there", async () => {
    const filename = await aStore()
    chmodSync(dirname(filename), 0o555)
    expect(await refusalOf(filename)).toBe("ReadOnly")
    expect(await refusalOf(join(dirname(filename), "new.db"))).toBe("ReadOnly")
    chmodSync(dirname(filename), 0o755)
  })

  test("a file that this user may not read, with what to do", () => {
    const denied = Object.assign(new Error("permission denied"), {
      code: "EACCES",
      syscall: "open"
    })
    expect(failureFor("shop.db", denied)).toMatchObject({
      reason: "Unavailable",
      detail: expect.stringMatching(/^shop\.db can't be opened by this user; do it as the user who/)
    })
  })

  test("a name with a NUL in it, or with a blank at its end", async () => {
    const filename = aFile()
    expect((await openingFailure({ filename: `${filename}\u0000` }))?.reason).toBe("Unavailable")
    expect((await openingFailure({ filename: `${filename} ` }))?.reason).toBe("Unavailable")
    expect(readdirSync(dirname(filename))).toEqual([])
  })
})

describe("opening while another process", () => {
  test("has the file to itself waits for it, and is Busy when it has waited long enough", async () => {
    const filename = await aStore()
    const other = openSqlite(filename)
    other.pragma("locking_mode = EXCLUSIVE")
    other.exec("BEGIN EXCLUSIVE; COMMIT")
    expect((await openingFailure({ filename, busyMs: 50 }))?.reason).toBe("Busy")
    setTimeout(() => other.close(), 50)
    expect(await openingFailure({ filename })).toBeUndefined()
  })
})
