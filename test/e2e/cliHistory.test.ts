import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { killAll, petstore, petstoreJson, served } from "./petstore.js"

const folder = mkdtempSync(join(tmpdir(), "petstore-history-"))

afterAll(() => {
  killAll()
  rmSync(folder, { recursive: true, force: true })
})

describe("petstore history", () => {
  it("says what happened to a record, by whom and in which request, also once it is gone", async () => {
    const db = join(folder, "pets.db")
    const { call, child, ended } = await served("--demo", "--db", db)
    const made = await call("/pets", {
      method: "POST",
      body: JSON.stringify({ name: "Goldie", categoryId: 1 })
    })
    const { id } = (await made.json()) as { readonly id: number }
    const requestId = made.headers.get("x-request-id") ?? ""
    await call(`/pets/${id}`, {
      method: "PUT",
      body: JSON.stringify({ name: "Nemo", categoryId: 1, status: "sold" })
    })
    await call(`/pets/${id}`, { method: "DELETE" })
    child.kill("SIGTERM")
    await ended
    const { changes } = await petstoreJson<{
      readonly changes: ReadonlyArray<Record<string, unknown>>
    }>("history", "pet", String(id), "--db", db)
    expect(changes.map(({ type }) => type)).toEqual(["pet.created", "pet.updated", "pet.deleted"])
    expect(changes[0]).toMatchObject({
      revision: 1,
      requestId,
      account: { id: 1, name: expect.any(String) },
      changed: [
        { field: "name", to: "Goldie" },
        { field: "categoryId", to: 1 },
        { field: "status", to: "available" }
      ]
    })
    expect(changes[1]?.["changed"]).toEqual([
      { field: "name", from: "Goldie", to: "Nemo" },
      { field: "status", from: "available", to: "sold" }
    ])
    expect(changes[2]?.["changed"]).toContainEqual({ field: "name", from: "Nemo" })
    const { code, stdout } = await petstore(["history", "pet", String(id), "--db", db])
    expect(code).toBe(0)
    expect(stdout).toMatch(/when.*what.*changed.*by.*request/)
    expect(stdout).toContain("name: Goldie → Nemo")
    expect(stdout).toContain(requestId)
  })

  it("goes back as far as the configured retention of the writers", async () => {
    const [seeded, demo, kept] = ["seeded.db", "demo.db", "kept.db"].map((name) =>
      join(folder, name)
    )
    await petstoreJson("seed", "--db", seeded ?? "", "--keep-changes", "200")
    const { child, ended } = await served("--demo", "--db", demo ?? "", "--keep-changes", "200")
    child.kill("SIGTERM")
    await ended
    await petstoreJson("seed", "--db", kept ?? "", "--keep-changes-for", "36525d")
    const codes = [seeded, demo, kept].map(
      async (db) => (await petstore(["history", "category", "1", "--db", db ?? ""])).code
    )
    expect(await Promise.all(codes)).toEqual([1, 1, 0])
    const { code, stderr } = await petstore(["seed", "--db", "none.db", "--keep-changes", "0"])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--keep-changes: expected a whole number from 1")
    ])
  })

  it("shows what happened to stock alone, and no character that turns a line of the terminal round", async () => {
    const db = join(folder, "names.db")
    const { call, child, ended } = await served("--demo", "--db", db)
    await call("/store/inventory/1", { method: "PUT", body: JSON.stringify({ quantity: 2 }) })
    const placed = await call("/store/orders", {
      method: "POST",
      body: JSON.stringify({ petId: 1 })
    })
    const { id } = (await placed.json()) as { readonly id: number }
    await call(`/store/orders/${id}`, { method: "PATCH", body: JSON.stringify({ complete: true }) })
    await call("/pets/1", { method: "PATCH", body: JSON.stringify({ name: "Re\u202ex" }) })
    child.kill("SIGTERM")
    await ended
    const stock = (await petstore(["history", "inventory", "1", "--db", db])).stdout
    expect(stock).toMatch(/quantity: 2 → 1[^]*nothing that shows/)
    expect((await petstore(["history", "pet", "1", "--db", db])).stdout).toContain("→ Re x")
  })

  it("reports that a record without changes is unknown, and exits 1; for an unknown kind, 2", async () => {
    const db = join(folder, "other.db")
    await petstore(["seed", "--db", db])
    const { code, stderr } = await petstore(["history", "order", "999999", "--db", db])
    expect(code).toBe(1)
    expect(stderr).toContain("no change of order 999999 is stored")
    const misuse = await petstore(["history", "account", "1", "--db", db])
    expect(misuse.code).toBe(2)
    expect(misuse.stderr).toContain("KIND: expected pet, category, order, inventory")
  })
})
