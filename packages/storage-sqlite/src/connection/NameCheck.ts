/**
 * Whether the name under which a file was opened still leads to it. After the file was deleted,
 * moved or replaced, SQLite goes on writing to what nobody will find again.
 */
import { StorageError } from "@petstore/core"
import { type FileId, fileIdOf } from "./OpenFiles.js"

/** So many reads, and so many milliseconds, pass between two looks of a reader. */
const READS_BETWEEN_LOOKS = 64
const MS_BETWEEN_LOOKS = 1_000

export class NameCheck {
  readonly #path: string
  readonly #file: FileId
  /** The memory that connections share; each new process makes one of its own where it is gone. */
  readonly #shared: FileId | undefined
  readonly #nowMs: () => number
  #failure: StorageError | undefined
  #readsUntilLook = READS_BETWEEN_LOOKS
  #lookAfterMs = 0

  /**
   * For a connection that has read once, so that its log is there. `nowMs` is a clock that is never
   * set.
   */
  constructor(path: string, file: FileId, nowMs: () => number) {
    this.#path = path
    this.#file = file
    this.#shared = fileIdOf(`${path}-shm`)
    this.#nowMs = nowMs
  }

  /** Looks now: before a commit. */
  now(): StorageError | undefined {
    this.#failure = this.#look()
    return this.#failure
  }

  /** Looks every so often: before a read. */
  nowAndThen(): StorageError | undefined {
    if (this.#failure !== undefined) return this.now()
    if (--this.#readsUntilLook > 0) return undefined
    this.#readsUntilLook = READS_BETWEEN_LOOKS
    const nowMs = this.#nowMs()
    if (nowMs < this.#lookAfterMs) return undefined
    this.#lookAfterMs = nowMs + MS_BETWEEN_LOOKS
    return this.now()
  }

  #look(): StorageError | undefined {
    const found = fileIdOf(this.#path)
    if (found === this.#file && fileIdOf(`${this.#path}-shm`) === this.#shared) return undefined
    const what =
      found === undefined
        ? "was deleted or moved away"
        : found === this.#file
          ? "has lost its log (-wal, -shm), which was deleted or moved away"
          : "was replaced by another file"
    return new StorageError({
      reason: "Unavailable",
      detail: `${this.#path} ${what} while it was open: nothing more is stored. Put it back under its name, or stop this process and restore a backup`
    })
  }
}
