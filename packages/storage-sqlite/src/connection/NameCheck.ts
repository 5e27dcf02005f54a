/**
 * Whether the name under which a file was opened still leads to it, and to its log. After one of
 * them was deleted, moved or replaced, SQLite goes on writing to what nobody will find again.
 */
import { type BigIntStats, readlinkSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@petstore/core"
import { hasLog, isSame, isTakenOver, type Log, logOf, mayCheckpoint } from "./log.js"
import { descriptorOf, type FileId } from "./OpenFiles.js"
import { processesWith } from "./processes.js"

/** So many reads, and so many milliseconds, pass between two looks of a reader. */
const READS_BETWEEN_LOOKS = 64
const MS_BETWEEN_LOOKS = 1_000

/** What happened, and what helps. */
type Loss = readonly [what: string, advice: string]

const RESTORE = "Put it back under its name, or stop this process and restore a backup"
const RESTART = "Put them back under their names, or stop this process and start it again"

export class NameCheck {
  readonly #path: string
  readonly #folder: string
  readonly #file: FileId
  readonly #log: Log
  readonly #nowMs: () => number
  readonly #checkpoint: () => void
  #failure: StorageError | undefined
  /** When the file itself was last written, at the last look that found nothing wrong. */
  #fileChangedNs: bigint | undefined
  /** The same at the current look. */
  #lookedAtNs: bigint | undefined
  #readsUntilLook = READS_BETWEEN_LOOKS
  #lookAfterMs = 0
  /**
   * When something was last made, deleted or renamed in the folder, at the last look at the log.
   */
  #folderChangedNs: bigint | undefined
  #lookAtLogAfterMs = 0

  /**
   * For a connection that has read once, so that its log is there. `nowMs` is a clock that is never
   * set; `checkpoint` writes the log into the file as far as readers let it.
   */
  constructor(path: string, file: FileId, nowMs: () => number, checkpoint: () => void) {
    this.#path = path
    this.#folder = dirname(path)
    this.#file = file
    this.#log = logOf(path)
    this.#nowMs = nowMs
    this.#checkpoint = checkpoint
  }

  /** Looks now: before a commit. */
  check(): StorageError | undefined {
    const loss = this.#look()
    if (loss === undefined) this.#fileChangedNs = this.#lookedAtNs
    this.#failure =
      loss &&
      new StorageError({
        reason: "Unavailable",
        detail: `${this.#path} ${loss[0]} while it was open: nothing more is stored. ${loss[1]}`
      })
    return this.#failure
  }

  /** Looks every so often: before a read. */
  checkOccasionally(): StorageError | undefined {
    if (this.#failure !== undefined) return this.check()
    if (--this.#readsUntilLook > 0) return undefined
    this.#readsUntilLook = READS_BETWEEN_LOOKS
    const nowMs = this.#nowMs()
    if (nowMs < this.#lookAfterMs) return undefined
    this.#lookAfterMs = nowMs + MS_BETWEEN_LOOKS
    return this.check()
  }

  /**
   * Checkpoints a log that lost its name. To be called after a loss, outside a transaction. A file
   * that was moved is checkpointed when the connection is closed: until then others may put another
   * file under the name, and share with this connection what is known of the log. See `log.ts` for
   * when it must not be.
   */
  salvageLog({ isClosing = false } = {}): void {
    try {
      if (!mayCheckpoint(this.#path, this.#log)) return
      const isMoved = statOf(this.#path) === undefined
      if (isMoved ? isClosing && this.#isUntouched() : this.#lossOfFile() === undefined)
        this.#checkpoint()
    } catch {
      // It is tried again with the next write, and when the connection is closed.
    }
  }

  /**
   * Whether another process has begun a log beside the file since this one lost its own. Then
   * closing the connection must not checkpoint: see `closeWithoutCheckpoint`.
   */
  isTakenOver(): boolean {
    try {
      const found = statOf(this.#path)
      if (found === undefined || `${found.dev}:${found.ino}` !== this.#file) return false
      return isTakenOver(this.#path, this.#log, () => found.mtimeNs === this.#fileChangedNs)
    } catch {
      return false
    }
  }

  /**
   * Whether nobody else has used a file that was moved under its new name, as far as can be told.
   * Another log may then belong to it, and ours must not be written into it.
   */
  #isUntouched(): boolean {
    const descriptor = descriptorOf(this.#file)
    return (
      descriptor !== undefined &&
      statOf(descriptor)?.mtimeNs === this.#fileChangedNs &&
      !hasLog(readlinkSync(descriptor)) &&
      processesWith(this.#file)?.length === 0
    )
  }

  #look(): Loss | undefined {
    try {
      return this.#lossOfFile() ?? (this.#mayHaveLostLog() ? this.#lossOfLog() : undefined)
    } catch (cause) {
      return [
        `can't be looked at (${cause instanceof Error ? cause.message : String(cause)})`,
        RESTORE
      ]
    }
  }

  #lossOfFile(): Loss | undefined {
    const found = statOf(this.#path)
    if (found === undefined) return ["was deleted or moved away", RESTORE]
    if (`${found.dev}:${found.ino}` !== this.#file) return ["was replaced by another file", RESTORE]
    if (found.size === 0n) return ["was emptied", RESTORE]
    this.#lookedAtNs = found.mtimeNs
    return undefined
  }

  /**
   * The log itself is looked at where the folder has changed, and once a second: after each look
   * Linux notes the time of the next write exactly, and the sync of the commit waits for that.
   */
  #mayHaveLostLog(): boolean {
    return (
      this.#nowMs() >= this.#lookAtLogAfterMs ||
      statOf(this.#folder)?.mtimeNs !== this.#folderChangedNs
    )
  }

  #lossOfLog(): Loss | undefined {
    const folderChangedNs = statOf(this.#folder)?.mtimeNs
    if (!isSame(logOf(this.#path), this.#log)) {
      return ["has lost its log (-wal, -shm), which was deleted or moved away", RESTART]
    }
    this.#folderChangedNs = folderChangedNs
    this.#lookAtLogAfterMs = this.#nowMs() + MS_BETWEEN_LOOKS
    return undefined
  }
}

const statOf = (path: string): BigIntStats | undefined =>
  statSync(path, { throwIfNoEntry: false, bigint: true })
