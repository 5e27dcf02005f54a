/** The engine of the store that is handed in, or what was forgotten by whoever handed in something else, such as the promise of one. */
import type { Engine } from "@petstore/core"

export const engineOf = (store: { readonly engine?: Engine } | undefined): Engine => {
  const engine = store?.engine
  if (engine === undefined)
    throw new TypeError("expected an open store: await PetStore.open(…), then hand it in")
  return engine
}
