/** A small shop on a fresh store, for tests of the rules. */
import { type OpenOptions, PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"

export const openShop = async (options: Omit<OpenOptions<never, never>, "storage"> = {}) => {
  const store = await PetStore.open({ ...options, storage: MemoryStorage.layer })
  const category = await store.categories.create({ name: "Fish" })
  const pet = await store.pets.create({ name: "Goldie", categoryId: category.id })
  return { store, shop: store.direct, category, pet }
}

/** The code of the refusal a call throws, or "none". */
export const refusal = (call: () => unknown): string => {
  try {
    call()
    return "none"
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : `not a refusal: ${String(error)}`
  }
}
