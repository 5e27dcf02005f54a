/** The types of the storages that a store is opened on. They need no knowledge of Effect. */
import type * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { DirectStorage, Storage } from "./Storage.js"
import type { Usage } from "./Usage.js"

/**
 * A storage to open a store on, such as `MemoryStorage.layer` or `SqliteStorage.layer({ filename
 * })`. It is a recipe: each store that is opened with it gets its own storage. In terms of Effect
 * it is a layer of the ports; `E` is the error of building it.
 */
export interface StorageLayer<out E = unknown> extends Layer.Layer<Storage | Usage, E> {}

/**
 * A {@link StorageLayer} of a synchronous storage, so that the store has a direct API
 * (`store.direct`).
 */
export interface DirectStorageLayer<out E = unknown> extends Layer.Layer<
  Storage | DirectStorage | Usage,
  E
> {}

const ready = new WeakMap<StorageLayer, Context.Context<Storage | Usage>>()

/**
 * A layer of existing ports. Opening a store on it builds nothing, and closing the store leaves the
 * ports open.
 */
export const storageLayerOf = <Ports extends Storage | Usage>(
  ports: Context.Context<Storage | Usage | Ports>
): Layer.Layer<Storage | Usage | Ports> => {
  const layer = Layer.succeedContext(ports)
  ready.set(layer, ports)
  return layer
}

/** The ports of a layer made by {@link storageLayerOf}. */
export const readyPortsOf = (storage: StorageLayer): Context.Context<Storage | Usage> | undefined =>
  ready.get(storage)
