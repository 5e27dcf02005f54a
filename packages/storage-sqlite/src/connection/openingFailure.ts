/** The failure of opening a file, with its name. */
import { StorageError } from "@petstore/core"
import { failureOf } from "../base/sqliteFailure.js"

const isDenied = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  "code" in thrown &&
  (thrown.code === "EACCES" || thrown.code === "EPERM")

export const openingFailure = (filename: string, thrown: unknown): StorageError => {
  if (thrown instanceof StorageError) return thrown
  if (isDenied(thrown)) {
    return new StorageError({
      reason: "Unavailable",
      detail:
        `${filename} can't be opened by this user; do it as the user who serves the store, or ` +
        "give this one the right to read it",
      cause: thrown
    })
  }
  return (
    failureOf(thrown, `open ${filename}`) ??
    new StorageError({
      reason: "Unavailable",
      detail: `${filename} can't be opened`,
      cause: thrown
    })
  )
}
