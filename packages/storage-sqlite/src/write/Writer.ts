/**
 * Runs writing programs. Programs that are submitted together share a commit, and so one sync of
 * the disk: a group commit. A program that refuses or throws is rolled back alone. Callers get
 * their results after the commit.
 */
import { type Program, StorageError } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import type * as Either from "effect/Either"
import { MAX_GROUP_MS, GroupRun } from "./GroupRun.js"
import { LockBackoff } from "./LockBackoff.js"
import { blockBriefly } from "../base/retryWhileBusy.js"
import {
  isSuccess,
  type Outcome,
  outcomeOf,
  Submission,
  failureOutcome,
  type QueuedProgram
} from "./Submission.js"
import type { Tables } from "../table/Tables.js"
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from "../base/timers.js"
import { type FileIdentity, Transaction } from "./Transaction.js"
import type { ReentrancyGuard } from "../base/ReentrancyGuard.js"
import type { ReadSnapshot } from "../read/ReadSnapshot.js"

export type WriterOptions = {
  /** How long a submitted program waits for the lock before it fails as `Busy`, in milliseconds. */
  readonly busyMs: number
  /** The same for `runNow`, which blocks the event loop while it waits. */
  readonly directBusyMs: number
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number
  /** Returns a failure while the log is too large. Called before each transaction. */
  readonly checkLogSize: () => StorageError | undefined
  readonly identity: FileIdentity
}

/** The most programs that share a commit. */
const MAX_GROUP_SIZE = 256

export class Writer {
  readonly #tables: Tables
  readonly #guard: ReentrancyGuard
  readonly #snapshot: ReadSnapshot
  readonly #transaction: Transaction
  readonly #groupRun: GroupRun
  readonly #options: WriterOptions
  #queue: Array<QueuedProgram> = []
  readonly #backoff = new LockBackoff()
  #timer: (() => void) | undefined
  #isClosed = false
  #resolveClose: (() => void) | undefined

  constructor(
    file: Connection,
    tables: Tables,
    guard: ReentrancyGuard,
    snapshot: ReadSnapshot,
    options: WriterOptions
  ) {
    this.#tables = tables
    this.#guard = guard
    this.#snapshot = snapshot
    this.#transaction = new Transaction(file, tables, options.identity)
    this.#groupRun = new GroupRun(this.#transaction, tables, options.nowMs)
    this.#options = options
  }

  /** Runs a program at once, in its own transaction. */
  runNow<A, E>(program: () => Program<A, E>): Either.Either<A, E | StorageError> {
    const outcome = this.#guard.run(() => this.#runAndCommit(program))
    if (outcome._tag === "Died") throw outcome.defect
    return outcome.result
  }

  #runAndCommit<A, E>(program: () => Program<A, E>): Outcome<A, E> {
    const failure = this.#beginBlocking()
    if (failure !== undefined) return failureOutcome(failure)
    const outcome = outcomeOf(program, this.#tables.write)
    if (!isSuccess(outcome)) {
      this.#transaction.rollBack()
      return outcome
    }
    const lost = this.#transaction.commit()
    return lost === undefined ? outcome : failureOutcome(lost)
  }

  #begin(): StorageError | undefined {
    this.#snapshot.close()
    return this.#options.checkLogSize() ?? this.#transaction.begin()
  }

  #beginBlocking(): StorageError | undefined {
    let failure = this.#begin()
    if (failure === undefined) return undefined
    const untilMs = this.#options.nowMs() + this.#options.directBusyMs
    while (failure?.reason === "Busy" && this.#options.nowMs() < untilMs) {
      blockBriefly()
      failure = this.#begin()
    }
    return failure
  }

  /**
   * Queues a program for the next group, and calls `onOutcome` after the commit. A program that is
   * cancelled before it runs never runs. `busyMs` overrides that of the options.
   */
  submit<A, E>(
    program: () => Program<A, E>,
    onOutcome: (outcome: Outcome<A, E>) => void,
    busyMs = this.#options.busyMs
  ): Submission<A, E> {
    const submission = new Submission(
      program,
      { sinceMs: this.#options.nowMs(), busyMs },
      onOutcome
    )
    if (this.#isClosed)
      submission.fail(
        new StorageError({ reason: "Unavailable", detail: "write: the file was closed" })
      )
    else this.#queue.push(submission)
    this.#schedule(0)
    return submission
  }

  /** Accepts no more programs. Resolves when each queued program is stored, or failed as `Busy`. */
  close(): Promise<void> | undefined {
    this.#isClosed = true
    this.#timer?.()
    this.#timer = undefined
    this.#commitGroups()
    return this.#queue.length === 0
      ? undefined
      : new Promise((resolve) => (this.#resolveClose = resolve))
  }

  #schedule(pauseMs: number): void {
    if (this.#timer !== undefined || this.#queue.length === 0) return
    if (pauseMs === 0) {
      const immediate = setImmediate(this.#commitGroups)
      this.#timer = () => clearImmediate(immediate)
    } else {
      const timeout = setTimeout(this.#commitGroups, pauseMs)
      this.#timer = () => clearTimeout(timeout)
    }
  }

  readonly #commitGroups = (): void => {
    this.#timer = undefined
    const group = this.#queue.splice(0, MAX_GROUP_SIZE).filter((queued) => queued.isOpen())
    try {
      if (group.length > 0) this.#guard.run(() => this.#commit(group))
    } catch (defect) {
      this.#transaction.rollBack()
      for (const queued of group) queued.die(defect)
    }
    if (this.#queue.length > 0) return this.#schedule(this.#backoff.pauseMs(this.#options.nowMs()))
    this.#backoff.idle()
    this.#resolveClose?.()
  }

  /** Commits a group. If the group can't be stored together, each program gets its own commit. */
  #commit(group: ReadonlyArray<QueuedProgram>): void {
    const failure = this.#begin()
    if (failure !== undefined) return this.#requeue(group, failure)
    this.#backoff.acquired(this.#options.nowMs())
    const [first, ...others] = group
    if (first !== undefined && others.length === 0) return this.#runAndCommitOne(first)
    const finished = this.#groupRun.run(group)
    if (finished !== undefined && this.#transaction.commit() === undefined) {
      for (const queued of finished) queued.settle()
      this.#queue.unshift(...group.slice(finished.length))
      return
    }
    this.#transaction.rollBack()
    this.#commitEach(group)
  }

  #commitEach(group: ReadonlyArray<QueuedProgram>): void {
    const untilMs = this.#options.nowMs() + MAX_GROUP_MS
    for (const [at, queued] of group.entries()) {
      const failure = this.#begin()
      if (failure !== undefined) return this.#requeue(group.slice(at), failure)
      this.#runAndCommitOne(queued)
      if (this.#options.nowMs() > untilMs) {
        this.#queue.unshift(...group.slice(at + 1))
        return
      }
    }
  }

  /** Runs one program in the open transaction, and commits it. */
  #runAndCommitOne(queued: QueuedProgram): void {
    if (!queued.run(this.#tables.write)) {
      this.#transaction.rollBack()
      return queued.settle()
    }
    const failure = this.#transaction.commit()
    if (failure === undefined) queued.settle()
    else queued.fail(failure)
  }

  /** Programs that may still wait for the lock keep their order in the queue; the others fail. */
  #requeue(group: ReadonlyArray<QueuedProgram>, failure: StorageError): void {
    const nowMs = this.#options.nowMs()
    const mayWait = ({ sinceMs, busyMs }: QueuedProgram) =>
      failure.reason === "Busy" && nowMs - sinceMs < busyMs
    this.#queue.unshift(...group.filter(mayWait))
    this.#backoff.failed()
    for (const queued of group) if (!mayWait(queued)) queued.fail(failure)
  }
}
