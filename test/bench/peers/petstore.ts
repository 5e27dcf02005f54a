/** The pet store itself, served over node:http. */
import { serve } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import { filledStore } from "./filledStore.js"
import type { Peer } from "./Peer.js"
import { aFile } from "./shop/aFile.js"

export const petstore: Peer = async (storage) => {
  const { store, key } = await filledStore(
    storage === "file" ? SqliteStorage.layer({ filename: aFile() }) : MemoryStorage.layer
  )
  // Without counters for Prometheus, as the peers have none.
  const { url, close } = await serve(store, { host: "127.0.0.1", port: 0, metrics: false })
  return {
    port: Number(new URL(url).port),
    key,
    close: async () => {
      await close()
      await store.close()
    }
  }
}
