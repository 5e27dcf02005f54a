import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PetStore, StorageError } from "@petstore/core"
import { SqliteStorage, verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { openStore } from "./sqlitePrograms.js"

/** A file system of three megabytes, where this process may mount one. */
const tinyFolder = ((): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-tiny-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", folder], { stdio: "ignore" })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
})()

afterAll(() => {
  if (tinyFolder === undefined) return
  execFileSync("umount", ["--lazy", tinyFolder])
  rmSync(tinyFolder, { recursive: true })
})

const reasonOf = (thrown: unknown): unknown =>
  thrown instanceof StorageError ? thrown.reason : thrown

describe("a disk that is full", () => {
  const skipped = tinyFolder === undefined
  test.skipIf(skipped)(
    `refuses writes as Full, keeps what was acknowledged, goes on reading, and takes writes once there is room${skipped ? " (skipped: this user can't mount a tmpfs)" : ""}`,
    { timeout: 30_000 },
    async () => {
      const folder = tinyFolder ?? ""
      const filename = join(folder, "pets.db")
      const ballast = join(folder, "ballast")
      writeFileSync(ballast, Buffer.alloc(2 ** 20))
      const store = await openStore({ filename })
      const description = "x".repeat(2_000)
      const add = () => store.categories.create({ name: "Fish", description })
      const acknowledged: Array<number> = []
      const refused: Array<unknown> = []
      while (refused.length === 0 && acknowledged.length < 5_000) {
        const answers = await Promise.allSettled(Array.from({ length: 16 }, add))
        for (const answer of answers) {
          if (answer.status === "fulfilled") acknowledged.push(answer.value.id)
          else refused.push(reasonOf(answer.reason))
        }
      }
      expect(new Set(refused)).toEqual(new Set(["Full"]))
      expect(acknowledged.length).toBeGreaterThan(50)

      const total = () => store.direct.categories.list({ total: true, limit: 1 }).total
      expect(total()).toBe(acknowledged.length)
      for (const id of acknowledged)
        expect(store.direct.categories.get(id).description).toBe(description)

      rmSync(ballast)
      const { id } = await add()
      expect(id).toBe(acknowledged.length + 1)
      expect(total()).toBe(acknowledged.length + 1)
      await store.close()
      expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    }
  )

  test.skipIf(skipped)(
    "goes to commits to the last, not to room ahead of them",
    { timeout: 30_000 },
    async () => {
      const folder = tinyFolder ?? ""
      for (const file of readdirSync(folder)) rmSync(join(folder, file))
      const filename = join(folder, "pets.db")
      const store = await openStore({ filename })
      const { bsize, bavail } = statfsSync(folder)
      writeFileSync(join(folder, "ballast"), Buffer.alloc(bsize * bavail - 240_000))
      const add = () => store.direct.categories.create({ name: "Fish" })
      let stored = 0
      while (stored < 20) stored = add().id
      // A header, and frames of a page and a header each: no piece that did not fit is left of a
      // try.
      expect((statSync(`${filename}-wal`).size - 32) % (24 + 2_048)).toBe(0)
      expect(() => {
        for (;;) stored = add().id
      }).toThrow(expect.objectContaining({ reason: "Full" }))
      expect(stored).toBeGreaterThan(20)
      expect(store.direct.categories.list({ total: true, limit: 1 }).total).toBe(stored)
      rmSync(join(folder, "ballast"))
      add()
      await store.close()
      expect(await Effect.runPromise(verify({ filename }))).toEqual([])
    }
  )

  test.skipIf(skipped)(
    "can't take a new store, and has no piece of one",
    { timeout: 30_000 },
    async () => {
      const folder = tinyFolder ?? ""
      for (const file of readdirSync(folder)) rmSync(join(folder, file))
      writeFileSync(join(folder, "ballast"), Buffer.alloc(3 * 2 ** 20 - 40_000))
      const filename = join(folder, "new.db")
      const refused = await PetStore.open({ storage: SqliteStorage.layer({ filename }) }).then(
        () => "opened",
        reasonOf
      )
      expect(refused).toBe("Full")
      expect(readdirSync(folder)).toEqual(["ballast"])
      rmSync(join(folder, "ballast"))
      const store = await openStore({ filename })
      expect(store.direct.categories.list().items).toEqual([])
    }
  )
})
