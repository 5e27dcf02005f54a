/** Why a file can't be opened, as a failure that names it. */
import { StorageError } from "@petstore/core"
import { failureOf } from "../sqliteFailure.js"

export const openingFailure = (filename: string, thrown: unknown): StorageError => {
  if (thrown instanceof StorageError) return thrown
  return (
    failureOf(thrown, `open ${filename}`) ??
    new StorageError({ reason: "Unavailable", detail: `${filename} can't be opened`, cause: thrown })
  )
}
