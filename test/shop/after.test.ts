/** The engine's timer: by the clock of whoever opened the store. */
import { openTestStore } from "@petstore/storage-memory"
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
