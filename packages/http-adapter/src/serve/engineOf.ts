/** The engine of a store. Throws for anything else, such as the promise of a store. */
import type { Engine } from "@petstore/core/adapter"

export const engineOf = (store: { readonly engine?: Engine } | undefined): Engine => {
  const engine = store?.engine
  if (engine === undefined)
    throw new TypeError("expected an open store: await PetStore.open(…), then hand it in")
  return engine
}
