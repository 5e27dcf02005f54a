import { PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { expect, it } from "vitest"
import { compileOperations } from "../../src/compile/Operation.js"
import type { Exchange } from "../../src/exchange/Exchange.js"
import { settingsOf } from "../../src/exchange/Options.js"
import { unservable } from "../../src/serve/unservable.js"

/**
 * Any operation, taken for an experimental one: the rule is not that of the stream of events alone.
 */
const asked = async (optIn: string | undefined, experimental: boolean) => {
  const store = await PetStore.open({ storage: MemoryStorage.layer })
  const settings = settingsOf({ experimental })
  const [operation] = compileOperations(store.engine.shop, settings)
  if (operation === undefined) throw new Error("there is no operation")
  const header = (name: string) => (name === "x-stability-opt-in" ? optIn : undefined)
  const exchange: Pick<Exchange, "settings" | "nowMs"> & { incoming: { header: typeof header } } = {
    settings,
    nowMs: 0,
    incoming: { header }
  }
  await store.close()
  return unservable(exchange as unknown as Exchange, { ...operation, stability: "experimental" })
    ?.code
}

it("an experimental operation is served to who opts in, and to everyone where the host says so", async () => {
  expect(await asked(undefined, false)).toBe("stability_opt_in_required")
  expect(await asked("beta", false)).toBe("stability_opt_in_required")
  expect(await asked("experimental", false)).toBeUndefined()
  expect(await asked("Experimental", false)).toBeUndefined()
  expect(await asked(undefined, true)).toBeUndefined()
})
