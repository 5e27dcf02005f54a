import { Socket } from "node:net"
import { setImmediate as turn } from "node:timers/promises"
import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { describe, expect, onTestFinished, test } from "vitest"
import { RequestBatch } from "../../src/node/RequestBatch.js"

/**
 * Records how requests were handled: each by its name, and `apart` where the next one sees its own
 * state.
 */
const watched = async () => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  onTestFinished(() => store.close())
  const { direct } = store.engine
  if (direct === undefined) throw new Error("memory answers at once")
  const seen: Array<string> = []
  const batch = new RequestBatch({
    direct: {
      ...direct,
      withSharedSnapshot: (run) => run(),
      endSharedSnapshot: () => seen.push("apart")
    }
  })
  const handle = (socket: Socket, name: string) => batch.handle(socket, () => seen.push(name))
  return { seen, handle }
}

describe("requests that have come in together", () => {
  test("share one look at the store until the turn of the event loop is over", async () => {
    const { seen, handle } = await watched()
    handle(new Socket(), "one")
    handle(new Socket(), "two")
    expect(seen).toEqual(["one", "two"])
    await turn()
    expect(seen).toEqual(["one", "two", "apart"])
    handle(new Socket(), "three")
    await turn()
    expect(seen).toEqual(["one", "two", "apart", "three", "apart"])
  })

  test("are apart from a second one of the same connection, which may have been sent later", async () => {
    const { seen, handle } = await watched()
    const socket = new Socket()
    handle(socket, "one")
    handle(new Socket(), "two")
    handle(socket, "one again")
    expect(seen).toEqual(["one", "two", "apart", "one again"])
  })

  test("are no more than 64", async () => {
    const { seen, handle } = await watched()
    for (let nth = 1; nth <= 65; nth++) handle(new Socket(), String(nth))
    expect(seen.slice(63)).toEqual(["64", "apart", "65"])
  })
})
