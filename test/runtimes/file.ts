/** Claims on a store in a file, and `serve`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PetStore } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { fetchTransport } from "@petstore/http-adapter/client"
import { backup, SqliteStorage, verify } from "@petstore/storage-sqlite"
import * as Effect from "effect/Effect"
import { type Claim, expectSame } from "./Claim.js"
import type { Serve } from "./handler.js"

/** Calls `use` with a folder that is removed afterwards. */
export const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-runtime-"))
  try {
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const open = (filename: string) => PetStore.open({ storage: SqliteStorage.layer({ filename }) })

export const file: ReadonlyArray<Claim> = [
  {
    claim: "a file is written, closed, and opened again",
    check: () =>
      inFolder(async (folder) => {
        const filename = join(folder, "shop.db")
        const store = await open(filename)
        const fish = await store.categories.create({ name: "Fish" })
        await Promise.all(
          Array.from({ length: 100 }, (_, at) =>
            store.pets.create({ name: `Fish ${at + 1}`, categoryId: fish.id })
          )
        )
        store.direct.pets.update(1, { name: "Goldie" })
        await store.close()
        const again = await open(filename)
        const { items } = await again.pets.list({ limit: 50, sort: "-id" })
        expectSame([items.length, items[0]?.id, again.direct.pets.get(1).name], [50, 100, "Goldie"])
        await again.close()
      })
  },
  {
    claim: "a file that is open is verified and backed up",
    check: () =>
      inFolder(async (folder) => {
        const filename = join(folder, "shop.db")
        const destination = join(folder, "monday.db")
        const store = await open(filename)
        await store.categories.create({ name: "Fish" })
        await Effect.runPromise(backup({ filename, destination }))
        expectSame(await Effect.runPromise(verify({ filename })), [])
        await store.close()
        const copy = await open(destination)
        expectSame((await copy.categories.get(1)).name, "Fish")
        await copy.close()
      })
  }
]

/** Under `serve`, which is on node:http. */
export const underServe: Serve = async (store) => {
  const { url, close } = await serve(store, { port: 0 })
  return { url, fetch, transport: fetchTransport(url), close }
}
