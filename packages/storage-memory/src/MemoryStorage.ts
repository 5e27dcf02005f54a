/** The storage ports, in memory. */
import { DirectStorage, type DirectStorageLayer, Storage, Usage } from "@petstore/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Memory } from "./Memory.js"

const open = (): Context.Context<Storage | DirectStorage | Usage> => {
  const { records, usage } = new Memory()
  return Context.empty().pipe(
    Context.add(Storage, {
      read: (program) => Effect.suspend(() => records.read(program)),
      write: (program) => Effect.suspend(() => records.write(program))
    }),
    Context.add(DirectStorage, {
      read: (program) => records.read(program),
      write: (program) => records.write(program),
      dataVersion: (collections) => records.dataVersion(collections)
    }),
    Context.add(Usage, { modify: (key, decide) => Effect.sync(() => usage.modify(key, decide)) })
  )
}

/** Storage in memory. */
export const MemoryStorage: {
  /**
   * Keeps everything in the memory of this process while the store is open. Answers at once, and
   * never fails with a `StorageError`.
   *
   * Each time the layer is built, it creates a new, empty store: two stores opened with it share
   * nothing. Within one build the layer is shared, as every layer is.
   */
  readonly layer: DirectStorageLayer<never>
} = {
  layer: Layer.effectContext(Effect.sync(open))
}
