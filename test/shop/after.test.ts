/** The engine's timer: by the clock of whoever opened the store. */
import { PetStore } from "@petstore/core"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import { expect, onTestFinished, test } from "vitest"

const opened = async () => {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  const rung: Array<string> = []
  const after = (ms: number, name: string) => store.engine.after(ms, () => rung.push(name))
  return { store, rung, after }
}

/** Fibers go on in a turn of their own. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test("something is done once, when the store's clock is there and not before", async () => {
  const { store, rung, after } = await opened()
  after(1_000, "late")
  after(500, "early")
  store.advance(499)
  await turn()
  expect(rung).toEqual([])
  store.advance(1)
  await turn()
  expect(rung).toEqual(["early"])
  store.advance("1 hour")
  await turn()
  expect(rung).toEqual(["early", "late"])
})

test("what is called off is not done", async () => {
  const { store, rung, after } = await opened()
  const callOff = after(1_000, "late")
  callOff()
  callOff()
  store.advance("1 hour")
  await turn()
  expect(rung).toEqual([])
})

/** How many timers keep this process alive. */
const timers = () => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length

test("by the machine's clock it keeps the process alive, unless 'unref' is set", async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  onTestFinished(() => store.close())
  const before = timers()
  const cancelHeld = store.engine.after(3_600_000, () => undefined)
  expect(timers()).toBe(before + 1)
  const cancelFree = store.engine.after(3_600_000, () => undefined, { unref: true })
  expect(timers()).toBe(before + 1)
  cancelFree()
  cancelHeld()
  expect(timers()).toBe(before)
})

test("what is longer away than a timer of the platform can be is not done at once", async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  onTestFinished(() => store.close())
  let isDone = false
  const cancel = store.engine.after(2 ** 31, () => (isDone = true))
  await new Promise((resolve) => setTimeout(resolve, 20))
  cancel()
  expect(isDone).toBe(false)
})
