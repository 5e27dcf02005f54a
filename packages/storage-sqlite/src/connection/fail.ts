/** Throws failures of the storage. */
import { type Stats, statSync } from "node:fs"
import { StorageError, type StorageErrorReason } from "@petstore/core"

export const fail = (reason: StorageErrorReason, detail: string, cause?: unknown): never => {
  throw new StorageError({ reason, detail, cause })
}

/** Undefined if there is no such file. */
export const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path)
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    return fail("Unavailable", `${path} can't be read`, cause)
  }
}
