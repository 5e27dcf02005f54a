/** Why a file is not opened. */
import { type Stats, statSync } from "node:fs"
import { StorageError, type StorageErrorReason } from "@petstore/core"

export const refuse = (reason: StorageErrorReason, detail: string, cause?: unknown): never => {
  throw new StorageError({ reason, detail, cause })
}

/** Undefined where there is nothing. */
export const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path)
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    return refuse("Unavailable", `${path} can't be looked at`, cause)
  }
}
