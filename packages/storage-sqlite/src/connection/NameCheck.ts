/**
 * Checks that the name of an open file still refers to it, and to its log. If one of them was
 * deleted, moved or replaced, SQLite would go on writing to files that nobody finds again.
 */
import { type BigIntStats, readlinkSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@petstore/core"
import {
  hasLog,
  isSameLog,
  isLogReplaced,
  type LogFiles,
  logFilesOf,
  canCheckpoint
} from "./LogFiles.js"
import { descriptorOf, type FileId } from "./OpenFiles.js"
import { processesWith } from "./processes.js"

/** A reader checks once in so many reads, and once in so many milliseconds at most. */
const READS_BETWEEN_CHECKS = 64
const MS_BETWEEN_CHECKS = 1_000

/** What happened, and what the operator can do. */
type Problem = readonly [what: string, advice: string]

const PUT_FILE_BACK = "Put it back under its name, or stop this process and restore a backup"
const PUT_LOG_BACK = "Put them back under their names, or stop this process and start it again"

export class NameCheck {
  readonly #path: string
  readonly #folder: string
  readonly #file: FileId
  readonly #log: LogFiles
  readonly #nowMs: () => number
  readonly #checkpoint: () => void
  #failure: StorageError | undefined
  /** The modification time of the file at the last check that found no problem. */
  #lastGoodMtimeNs: bigint | undefined
  /** The same at the current check. */
  #mtimeNs: bigint | undefined
  #readsUntilCheck = READS_BETWEEN_CHECKS
  #nextCheckMs = 0
  /** The modification time of the folder when the log was last checked. */
  #folderMtimeNs: bigint | undefined
  #nextLogCheckMs = 0

  /**
   * The connection must have read once, so that its log exists. `nowMs` is a monotonic clock;
   * `checkpoint` runs a passive checkpoint.
   */
  constructor(path: string, file: FileId, nowMs: () => number, checkpoint: () => void) {
    this.#path = path
    this.#folder = dirname(path)
    this.#file = file
    this.#log = logFilesOf(path)
    this.#nowMs = nowMs
    this.#checkpoint = checkpoint
  }

  /** Returns the failure if there is a problem. To be called before each commit. */
  check(): StorageError | undefined {
    const problem = this.#findProblem()
    const [what, advice] = problem ?? []
    if (problem === undefined) this.#lastGoodMtimeNs = this.#mtimeNs
    this.#failure =
      problem &&
      new StorageError({
        reason: "Unavailable",
        detail: `${this.#path} ${what} while it was open: nothing more is stored. ${advice}`
      })
    return this.#failure
  }

  /** Like `check`, but checks only now and then. To be called before each read. */
  checkOccasionally(): StorageError | undefined {
    if (this.#failure !== undefined) return this.check()
    if (--this.#readsUntilCheck > 0) return undefined
    this.#readsUntilCheck = READS_BETWEEN_CHECKS
    const nowMs = this.#nowMs()
    if (nowMs < this.#nextCheckMs) return undefined
    this.#nextCheckMs = nowMs + MS_BETWEEN_CHECKS
    return this.check()
  }

  /**
   * Checkpoints a log that was deleted, to save its commits. To be called after a failed check,
   * outside a transaction. If the file was moved, this waits until the connection is closed: before
   * that, another file may get the name, and share the `-shm` with this connection. `LogFiles.ts`
   * says when a checkpoint would destroy the store.
   */
  salvageLog({ isClosing = false } = {}): void {
    try {
      if (!canCheckpoint(this.#path, this.#log)) return
      const isMoved = statOf(this.#path) === undefined
      if (isMoved ? isClosing && this.#isUnusedUnderNewName() : this.#problemOfFile() === undefined)
        this.#checkpoint()
    } catch {
      // The next write tries again, and so does the end of the connection.
    }
  }

  /**
   * Whether another process has created a new log since ours was deleted. Then closing the
   * connection must not checkpoint: see `closeWithoutCheckpoint`.
   */
  isLogReplaced(): boolean {
    try {
      const stats = statOf(this.#path)
      if (stats === undefined || `${stats.dev}:${stats.ino}` !== this.#file) return false
      return isLogReplaced(this.#path, this.#log, () => stats.mtimeNs === this.#lastGoodMtimeNs)
    } catch {
      return false
    }
  }

  /**
   * Whether no other process seems to have used a moved file under its new name. If one did, the
   * file may have another log, and ours must not be written into it.
   */
  #isUnusedUnderNewName(): boolean {
    const descriptor = descriptorOf(this.#file)
    return (
      descriptor !== undefined &&
      statOf(descriptor)?.mtimeNs === this.#lastGoodMtimeNs &&
      !hasLog(readlinkSync(descriptor)) &&
      processesWith(this.#file)?.length === 0
    )
  }

  #findProblem(): Problem | undefined {
    try {
      return this.#problemOfFile() ?? (this.#mayLogBeMissing() ? this.#problemOfLog() : undefined)
    } catch (cause) {
      return [
        `can't be checked (${cause instanceof Error ? cause.message : String(cause)})`,
        PUT_FILE_BACK
      ]
    }
  }

  #problemOfFile(): Problem | undefined {
    const stats = statOf(this.#path)
    if (stats === undefined) return ["was deleted or moved away", PUT_FILE_BACK]
    if (`${stats.dev}:${stats.ino}` !== this.#file)
      return ["was replaced by another file", PUT_FILE_BACK]
    if (stats.size === 0n) return ["was emptied", PUT_FILE_BACK]
    this.#mtimeNs = stats.mtimeNs
    return undefined
  }

  /**
   * The log itself is checked when the folder has changed, and once a second. After each `stat`
   * Linux records the time of the next write exactly, and the sync of the commit waits for that.
   */
  #mayLogBeMissing(): boolean {
    return (
      this.#nowMs() >= this.#nextLogCheckMs || statOf(this.#folder)?.mtimeNs !== this.#folderMtimeNs
    )
  }

  #problemOfLog(): Problem | undefined {
    const folderMtimeNs = statOf(this.#folder)?.mtimeNs
    if (!isSameLog(logFilesOf(this.#path), this.#log)) {
      return ["has lost its log (-wal, -shm), which was deleted or moved away", PUT_LOG_BACK]
    }
    this.#folderMtimeNs = folderMtimeNs
    this.#nextLogCheckMs = this.#nowMs() + MS_BETWEEN_CHECKS
    return undefined
  }
}

const statOf = (path: string): BigIntStats | undefined =>
  statSync(path, { throwIfNoEntry: false, bigint: true })
