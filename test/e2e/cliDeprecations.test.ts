import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { killAll, petstore, served } from "./petstore.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-deprecations-"))

afterAll(() => {
  killAll()
  rmSync(folder, { recursive: true, force: true })
})

describe("petstore deprecations", () => {
  it("reports what a server has counted, once it has stopped", async () => {
    const db = join(folder, "pets.db")
    const { call, child, ended } = await served("--demo", "--db", db)
    for (const path of ["/pets/1", "/pets/2", "/pets/99999", "/pets?id=1"]) await call(path)
    child.kill("SIGTERM")
    await ended
    const { code, stdout } = await petstore(["deprecations", "--db", db, "--json"])
    expect(code).toBe(0)
    const day = new Date().toISOString().slice(0, 10)
    expect(JSON.parse(stdout)).toEqual({
      deprecations: [{ accountId: 1, operation: "getPet", day, calls: 3 }]
    })
    expect((await petstore(["deprecations", "--db", db])).stdout).toMatch(
      /account.*operation.*day.*calls[^]*getPet/
    )
    expect((await petstore(["deprecations", "--db", db, "--account", "7"])).stdout).toMatch(
      /^No calls/
    )
  })
})
