/**
 * A small shop on a fresh store, on each storage there is: the rules are the same on all of them.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type DirectStorage,
  type OpenOptions,
  PetStore,
  type Storage,
  type StorageError,
  type Usage
} from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { SqliteStorage } from "@petstore/storage-sqlite"
import type { Layer } from "effect"
import { onTestFinished } from "vitest"

type Backend = Layer.Layer<Storage | DirectStorage | Usage, StorageError>

/** A folder that is gone after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const opener =
  (backend: () => Backend) =>
  async (options: Omit<OpenOptions, "storage"> = {}) => {
    const store = await PetStore.open({ ...options, storage: backend() })
    onTestFinished(() => store.close())
    const category = await store.categories.create({ name: "Fish" })
    const pet = await store.pets.create({ name: "Goldie", categoryId: category.id })
    return { store, shop: store.direct, category, pet }
  }

export type OpenShop = ReturnType<typeof opener>

export const STORAGES = [
  { name: "in memory", openShop: opener(() => MemoryStorage.layer) },
  {
    name: "in a file",
    openShop: opener(() =>
      SqliteStorage.layer({ filename: join(temporaryFolder(), "pets.db"), durability: "relaxed" })
    )
  }
]

/** The code of the refusal a call throws, or "none". */
export const refusal = (call: () => unknown): string => {
  try {
    call()
    return "none"
  } catch (error) {
    return error instanceof Error && "code" in error
      ? String(error.code)
      : `not a refusal: ${String(error)}`
  }
}
