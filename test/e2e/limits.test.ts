import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { type OpenPetStore, PetStore } from "@petstore/core"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { expect, onTestFinished, test } from "vitest"
import { handClock } from "../shop/handClock.js"
import { aFile, run, type Running } from "./sqlitePrograms.js"

const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 30)
const FREE_PER_MINUTE = 60

/**
 * A file with one account, and a store on it whose clock stands where the programs' clocks stand.
 */
const anAccount = async (terms: Parameters<OpenPetStore["accounts"]["create"]>[0]) => {
  const filename = aFile()
  const open = async () => {
    const store = await PetStore.open({
      storage: SqliteStorage.layer({ filename }),
      clock: handClock(NOW_MS).clock
    })
    onTestFinished(() => store.close())
    return store
  }
  const store = await open()
  const { id } = await store.accounts.create(terms)
  const { key } = await store.keys.create(id)
  await store.close()
  const used = async () => (await (await open()).limits.get(id)).minute.used
  return { filename, key, used }
}

const freeAccount = () => anAccount({ plan: "free" })

const numbers = (line: string): ReadonlyArray<number> => line.split(" ").slice(1).map(Number)

test(
  "four processes that hammer one account admit its limit between them, and have returned all else when they are closed",
  {
    timeout: 60_000
  },
  async () => {
    const { filename, key, used } = await freeAccount()
    const callers = [1, 2, 3, 4].map(() => run("call", filename, key, NOW_MS, 100))
    await Promise.all(callers.map(({ says }) => says("ready")))
    for (const { child } of callers) child.stdin?.write("go\n")
    const told = (await Promise.all(callers.map(({ says }) => says("done")))).map(numbers)
    const admitted = told.reduce((sum, [count = 0]) => sum + count, 0)
    expect(admitted).toBeLessThanOrEqual(FREE_PER_MINUTE)
    // Whoever was refused while another still held a few was refused rightly; nothing is lost but
    // those few.
    expect(admitted).toBeGreaterThan(FREE_PER_MINUTE / 2)
    for (const [count = 0, refused = 0] of told) expect(count + refused).toBe(100)
    expect(await used()).toBe(admitted)
  }
)

test(
  "a process that is killed while it holds a part of the limit has not made it larger, nor taken more than that part",
  {
    timeout: 60_000
  },
  async () => {
    const { filename, key, used } = await freeAccount()
    const killed = run("call", filename, key, NOW_MS, 5, "stay")
    await killed.says("ready")
    killed.child.stdin?.write("go\n")
    expect(numbers(await killed.says("called"))).toEqual([5, 0])
    killed.child.kill("SIGKILL")
    await killed.ended
    const leased = await used()
    expect(leased).toBeGreaterThan(5)
    const next = run("call", filename, key, NOW_MS, 100)
    await next.says("ready")
    next.child.stdin?.write("go\n")
    const [admitted = 0] = numbers(await next.says("done"))
    expect(admitted).toBe(FREE_PER_MINUTE - leased)
    expect(await used()).toBe(FREE_PER_MINUTE)
  }
)

test(
  "processes that are killed in the midst of hammering one account, and others after them, admit no more than its limit between them all",
  {
    timeout: 60_000
  },
  async () => {
    const perMinute = 400
    const { filename, key, used } = await anAccount({
      plan: "enterprise",
      perMinute,
      perDay: 10_000
    })
    const start = async () => {
      const callers = [1, 2, 3, 4].map(() => run("call", filename, key, NOW_MS, 1_000, "tell"))
      await Promise.all(callers.map(({ says }) => says("ready")))
      for (const { child } of callers) child.stdin?.write("go\n")
      return callers
    }
    const admissions = ({ said }: Running): number =>
      said.filter((line) => line === "admitted").length
    let told = 0
    for (const wave of [1, 2]) {
      const callers = await start()
      await Promise.race(callers.map(({ says }) => says("admitted")))
      for (const { child } of callers) child.kill("SIGKILL")
      await Promise.all(callers.map(({ ended }) => ended))
      const found = callers.reduce((sum, caller) => sum + admissions(caller), 0)
      expect(found, `wave ${wave}`).toBeGreaterThan(0)
      told += found
    }
    const usedBefore = await used()
    expect(usedBefore).toBeGreaterThanOrEqual(told)
    const last = await start()
    await Promise.all(last.map(({ says }) => says("called")))
    told += last.reduce((sum, caller) => sum + admissions(caller), 0)
    expect(told).toBeLessThanOrEqual(perMinute)
    expect(await used()).toBe(perMinute)
  }
)

test("the time zone of the process changes nothing, also on the night when its clocks are set back", () => {
  const program = fileURLToPath(new URL("../dist/e2e/programs/tellLimits.js", import.meta.url))
  const told = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati"].map((TZ) => {
    const lines = execFileSync(process.execPath, [program], {
      env: { ...process.env, TZ },
      encoding: "utf8"
    })
      .trim()
      .split("\n")
    return { offset: lines.at(-1), limits: lines.slice(0, -1) }
  })
  expect(new Set(told.map(({ offset }) => offset)).size).toBe(4)
  for (const { limits } of told) expect(limits).toEqual(told[0]?.limits)
})
