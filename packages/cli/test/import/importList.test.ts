import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import type { ClientCall } from "@petstore/http-adapter/client"
import { afterEach, describe, expect, test } from "vitest"
import { Progress } from "../../src/import/progress/Progress.js"
import { anImport, type Made, job } from "./anImport.js"
import { FakeService, type Fault } from "./FakeService.js"

const LIST: ReadonlyArray<Made> = [
  ["Rex", "Dog", "sold"],
  ["", "Dog", "sold"],
  ["Misty", "Cat", "available"],
  ["Rex", "Dog", "sold"],
  ["Tom", "Cat", "lost"],
  ["Voldemort", "Snake", "available"],
  ["Nagini", "Snake", "pending"],
  ["Blank", "", "sold"]
]

const forgets: Array<() => void> = []
afterEach(() => {
  for (const forget of forgets.splice(0)) forget()
})

const begun = (made = LIST) => {
  const service = new FakeService()
  const it = anImport(service, made)
  forgets.push(it.forget)
  return { service, ...it }
}

const named = ({ service }: { readonly service: FakeService }) =>
  service.pets.map(({ name, categoryId, status }) => `${name} ${categoryId} ${status}`).sort()

const LOADED = ["Misty 2 available", "Nagini 3 pending", "Rex 1 sold", "Rex 1 sold"]

/** Faults for the nth POST of a pet, from 1. */
const atPet = (faults: Readonly<Record<number, Fault>>) => {
  let pets = 0
  return ({ method, target }: ClientCall): Fault =>
    method === "POST" && target === "/pets" ? faults[++pets] : undefined
}

const manyPets = (count: number) =>
  Array.from({ length: count }, (_, at): Made => [`Pet ${at % 7}`, "Dog", "sold"])

describe("an import", () => {
  test("loads every line it can, makes the categories that are missing, and says why it left out the others", async () => {
    const it = begun()
    const { loaded, refused, categories, stopped } = await it.run({ concurrency: 1 })
    expect(stopped).toBeUndefined()
    expect(loaded).toBe(4)
    expect(named(it)).toEqual(LOADED)
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [3, "validation_failed"],
      [6, "unknown_status"],
      [7, "validation_failed"],
      [9, "validation_failed"]
    ])
    expect(refused.map(({ message }) => message)).toEqual([
      expect.stringContaining("name: expected 1 to 200 characters"),
      "status: 'lost' is not in the status map, which has 'available', 'pending', 'sold'",
      "name: not that one",
      expect.stringContaining("category: expected 1 to 200 characters")
    ])
    expect(categories.get("Dog")).toEqual({
      found: { id: 1, created: true },
      statuses: { available: 0, pending: 0, sold: 2 }
    })
  })

  test("uses a category that is there, by its exact name, and the oldest of several", async () => {
    const it = begun([["Rex", "Dog"]])
    it.service.categories.push(
      { id: 7, name: "dog" },
      { id: 8, name: "Dogs" },
      { id: 10, name: "Dog" },
      { id: 9, name: "Dog" }
    )
    const { refused } = await it.run()
    expect(refused).toEqual([])
    expect(named(it)).toEqual(["Rex 9 available"])
  })

  test("run again loads nothing twice, and still knows every refused line and every count", async () => {
    const it = begun()
    const first = await it.run()
    const second = await it.run()
    expect(named(it)).toEqual(LOADED)
    expect([second.loaded, second.loadedBefore]).toEqual([0, 4])
    expect(second.refused).toEqual(first.refused)
    expect(second.categories.get("Dog")?.statuses).toEqual({ available: 0, pending: 0, sold: 2 })
  })

  test.each<[string, Fault]>([
    ["whose reply is lost", "lost"],
    ["that never arrives", "unsent"],
    ["that ends in a 500", "broken"],
    ["that is put off by a 503", "busy"],
    ["that is put off by a 429", "limited"]
  ])("loads a line %s once", async (_, fault) => {
    const it = begun(manyPets(30))
    const { loaded } = await it.run({ fault: atPet({ 3: fault, 9: fault, 10: fault, 31: fault }) })
    expect(loaded).toBe(30)
    expect(it.service.pets.length).toBe(30)
  })

  test("resumes after a crash, and does not load again the rows that were loaded but not recorded", async () => {
    const it = begun(manyPets(50))
    await expect(it.run({ fault: atPet({ 20: "crash" }) })).rejects.toThrow()
    expect(it.service.pets.length).toBeGreaterThan(15)
    const before = it.service.seen.length
    const { loaded, loadedBefore } = await it.run()
    expect(loaded + loadedBefore).toBe(50)
    expect(it.service.pets.length).toBe(50)
    expect(it.service.seen.length - before).toBeLessThan(40)
  })

  test("does not take others' pets, older or unlike, for its own", async () => {
    const it = begun(manyPets(20))
    it.service.add({ name: "Pet 0", categoryId: 1, status: "sold" })
    await expect(it.run({ fault: atPet({ 1: "crash" }), concurrency: 1 })).rejects.toThrow()
    it.service.add({ name: "Pet 1", categoryId: 2, status: "sold" })
    it.service.add({ name: "Someone", categoryId: 1, status: "sold" })
    await it.run()
    expect(it.service.pets.length).toBe(23)
  })

  test("takes a pet that was sold since for its own", async () => {
    const it = begun([["Rex", "Dog", "available"]])
    await expect(it.run({ fault: atPet({ 1: "crash" }) })).rejects.toThrow()
    it.service.pets[0] = { id: 1, name: "Rex", categoryId: 1, status: "sold" }
    await it.run()
    expect(it.service.pets.length).toBe(1)
  })

  test("looks through no more than what came after the crash", async () => {
    const it = begun(manyPets(1_000))
    await expect(it.run({ fault: atPet({ 900: "crash" }) })).rejects.toThrow()
    const before = it.service.seen.length
    await it.run()
    expect(it.service.pets.length).toBe(1_000)
    expect(
      it.service.seen.slice(before).filter((asked) => asked.startsWith("GET /pets")).length
    ).toBeLessThan(7)
  })

  test("survives a progress file whose last line was cut short", async () => {
    const it = begun(manyPets(10))
    await it.run()
    truncateSync(it.file, readFileSync(it.file).length - 5)
    const { loaded, loadedBefore } = await it.run()
    expect([loaded, loadedBefore]).toEqual([1, 9])
    expect(it.service.pets.length).toBe(10)
  })

  test("refuses a progress file of another list, and one that is none", async () => {
    const it = begun(manyPets(3))
    await it.run()
    const text = readFileSync(it.file, "utf8")
    truncateSync(it.file, 0)
    appendFileSync(it.file, text.replace('"sha256":"0"', '"sha256":"1"'))
    await expect(it.run()).rejects.toThrow("an earlier version of the list")
    truncateSync(it.file, 0)
    appendFileSync(it.file, "Dear diary,\n")
    await expect(it.run()).rejects.toThrow("is not a progress file")
    expect(readFileSync(it.file, "utf8")).toBe("Dear diary,\n")
  })

  test("does not start while another import has the same progress file, and does once that has ended", async () => {
    const it = begun(manyPets(3))
    const other = Progress.open(it.file, job(3), () => "other")
    await expect(it.run()).rejects.toThrow(`process ${process.pid} is importing with it`)
    other.close()
    expect((await it.run()).loaded).toBe(3)
    expect(existsSync(`${it.file}.lock`)).toBe(false)
  })

  test("that is to restart forgets a progress file, but not while another import has it, and no other file", async () => {
    const it = begun(manyPets(3))
    await it.run()
    const open = (restart: boolean) => Progress.open(it.file, job(3), () => "new", restart)
    const other = open(false)
    expect([other.run, other.checkpoint.lastPets]).toEqual(["run", [1, 2, 3]])
    expect(() => open(true)).toThrow("is importing with it")
    other.close()
    const again = open(true)
    expect([again.run, again.checkpoint.lastPets]).toEqual(["new", []])
    again.close()
    writeFileSync(it.file, "Name,Kind\nRex,Dog\n")
    expect(() => open(true)).toThrow("is not a progress file")
    expect(readFileSync(it.file, "utf8")).toBe("Name,Kind\nRex,Dog\n")
  })

  test("takes over a progress file in which nothing was begun, whatever it was for", async () => {
    const it = begun(manyPets(3))
    appendFileSync(it.file, '{"petstoreImport":1,"run":"old","sha256":"of another list"}\n')
    expect((await it.run()).loaded).toBe(3)
    expect((await it.run()).loadedBefore).toBe(3)
  })

  test("does not believe a progress file whose pets are not in the service", async () => {
    const it = begun(manyPets(5))
    await it.run()
    it.service.pets.length = 0
    expect((await it.run()).stopped).toContain("seems to be another store")
  })

  test("stops, and can go on, where the service asks to wait for too long", async () => {
    const it = begun(manyPets(30))
    const first = await it.run({ fault: atPet({ 10: "limited" }), maxWaitMs: 30_000 })
    expect(first.stopped).toBe("the rate limit is reached; it asks to wait 1 min 0 s")
    expect(first.loaded).toBeLessThan(30)
    const second = await it.run()
    expect(first.loaded + second.loaded).toBe(30)
    expect(it.service.pets.length).toBe(30)
  })

  test("stops when it is aborted; requests in flight are recorded", async () => {
    const it = begun(manyPets(30))
    const cancel = new AbortController()
    let asked = 0
    const first = await it.run({
      signal: cancel.signal,
      fault: () => {
        if (++asked === 15) cancel.abort()
        return undefined
      }
    })
    expect(first.stopped).toBe("interrupted")
    expect(first.loaded).toBe(it.service.pets.length)
    const second = await it.run()
    expect(first.loaded + second.loaded).toBe(30)
    expect(it.service.pets.length).toBe(30)
  })

  test("carries an idempotency key by which a row is the same in every run", async () => {
    const it = begun(manyPets(2))
    const keys: Array<string> = []
    await it.run({
      fault: ({ method, target, headers }) => {
        if (method !== "POST" || target !== "/pets") return undefined
        keys.push(headers["idempotency-key"] ?? "")
        return keys.length === 1 ? "unsent" : undefined
      },
      concurrency: 1
    })
    expect(keys).toEqual(["import-run-1", "import-run-1", "import-run-2"])
  })
})
