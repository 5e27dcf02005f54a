/**
 * Runs writing programs. Programs that are submitted together share a commit, and so one sync of
 * the disk: a group commit. One that refuses or throws is rolled back alone. Callers get their
 * answers after the commit.
 */
import { type Program, StorageError } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import type * as Either from "effect/Either"
import { GROUP_MS, GroupRun } from "./GroupRun.js"
import { LockBackoff } from "./LockBackoff.js"
import { pauseBriefly } from "../base/pause.js"
import { keeps, type Outcome, outcomeOf, Submission, failed, type Waiting } from "./Submission.js"
import type { Tables } from "../table/Tables.js"
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from "../base/timers.js"
import { type Surroundings, Transaction } from "./Transaction.js"
import type { ReentrancyGuard } from "../base/ReentrancyGuard.js"
import type { ReadSnapshot } from "../read/ReadSnapshot.js"

export type WriterOptions = {
  /** How long a submitted program waits for the lock before it fails as `Busy`, in milliseconds. */
  readonly busyMs: number
  /** The same for a program that runs at once, which blocks the event loop. */
  readonly directBusyMs: number
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number
  /** Why no write can be accepted now, if so. Called before every commit. */
  readonly refusal: () => StorageError | undefined
  readonly around: Surroundings
}

/** At most so many programs share a commit. */
const GROUP_SIZE = 256

export class Writer {
  readonly #tables: Tables
  readonly #guard: ReentrancyGuard
  readonly #snapshot: ReadSnapshot
  readonly #transaction: Transaction
  readonly #groupRun: GroupRun
  readonly #options: WriterOptions
  #queue: Array<Waiting> = []
  readonly #backoff = new LockBackoff()
  #timer: (() => void) | undefined
  #isClosed = false
  #whenEmpty: (() => void) | undefined

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
    this.#transaction = new Transaction(file, tables, options.around)
    this.#groupRun = new GroupRun(this.#transaction, tables, options.nowMs)
    this.#options = options
  }

  /** Runs a program now, in a commit of its own. */
  runNow<A, E>(program: () => Program<A, E>): Either.Either<A, E | StorageError> {
    const outcome = this.#guard.run(() => this.#alone(program))
    if (outcome._tag === "Died") throw outcome.defect
    return outcome.answer
  }

  #alone<A, E>(program: () => Program<A, E>): Outcome<A, E> {
    const failure = this.#beginPatiently()
    if (failure !== undefined) return failed(failure)
    const outcome = outcomeOf(program, this.#tables.write)
    if (!keeps(outcome)) {
      this.#transaction.abandon()
      return outcome
    }
    const lost = this.#transaction.commit()
    return lost === undefined ? outcome : failed(lost)
  }

  #begin(): StorageError | undefined {
    this.#snapshot.close()
    return this.#options.refusal() ?? this.#transaction.begin()
  }

  #beginPatiently(): StorageError | undefined {
    let failure = this.#begin()
    if (failure === undefined) return undefined
    const untilMs = this.#options.nowMs() + this.#options.directBusyMs
    while (failure?.reason === "Busy" && this.#options.nowMs() < untilMs) {
      pauseBriefly()
      failure = this.#begin()
    }
    return failure
  }

  /**
   * Runs a program with the next group, and calls `tell` after the commit. A program that is
   * cancelled before it runs never does. `busyMs` overrides that of the options.
   */
  submit<A, E>(
    program: () => Program<A, E>,
    tell: (outcome: Outcome<A, E>) => void,
    busyMs = this.#options.busyMs
  ): Submission<A, E> {
    const submission = new Submission(program, { sinceMs: this.#options.nowMs(), busyMs }, tell)
    if (this.#isClosed)
      submission.fail(
        new StorageError({ reason: "Unavailable", detail: "write: the file was closed" })
      )
    else this.#queue.push(submission)
    this.#schedule(0)
    return submission
  }

  /** Accepts no more programs. Resolves when all that wait are stored, or have failed as `Busy`. */
  close(): Promise<void> | undefined {
    this.#isClosed = true
    this.#timer?.()
    this.#timer = undefined
    this.#commitGroups()
    return this.#queue.length === 0
      ? undefined
      : new Promise((resolve) => (this.#whenEmpty = resolve))
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
    const group = this.#queue.splice(0, GROUP_SIZE).filter((waiting) => waiting.isOpen())
    try {
      if (group.length > 0) this.#guard.run(() => this.#commit(group))
    } catch (defect) {
      this.#transaction.abandon()
      for (const waiting of group) waiting.die(defect)
    }
    if (this.#queue.length > 0) return this.#schedule(this.#backoff.pauseMs(this.#options.nowMs()))
    this.#backoff.idle()
    this.#whenEmpty?.()
  }

  /** Commits a group. A group that can't be stored together is stored one by one. */
  #commit(group: ReadonlyArray<Waiting>): void {
    const failure = this.#begin()
    if (failure !== undefined) return this.#postpone(group, failure)
    this.#backoff.acquired(this.#options.nowMs())
    const [first, ...others] = group
    if (first !== undefined && others.length === 0) return this.#finishAlone(first)
    const run = this.#groupRun.run(group)
    if (run !== undefined && this.#transaction.commit() === undefined) {
      for (const waiting of run) waiting.settle()
      this.#queue.unshift(...group.slice(run.length))
      return
    }
    this.#transaction.abandon()
    this.#commitEach(group)
  }

  #commitEach(group: ReadonlyArray<Waiting>): void {
    const untilMs = this.#options.nowMs() + GROUP_MS
    for (const [at, waiting] of group.entries()) {
      const failure = this.#begin()
      if (failure !== undefined) return this.#postpone(group.slice(at), failure)
      this.#finishAlone(waiting)
      if (this.#options.nowMs() > untilMs) {
        this.#queue.unshift(...group.slice(at + 1))
        return
      }
    }
  }

  /** Runs one program in the open transaction, and commits it. */
  #finishAlone(waiting: Waiting): void {
    if (!waiting.run(this.#tables.write)) {
      this.#transaction.abandon()
      return waiting.settle()
    }
    const failure = this.#transaction.commit()
    if (failure === undefined) waiting.settle()
    else waiting.fail(failure)
  }

  /** Those that may still wait for the lock keep their order; the others fail. */
  #postpone(group: ReadonlyArray<Waiting>, failure: StorageError): void {
    const nowMs = this.#options.nowMs()
    const isPatient = ({ sinceMs, busyMs }: Waiting) =>
      failure.reason === "Busy" && nowMs - sinceMs < busyMs
    this.#queue.unshift(...group.filter(isPatient))
    this.#backoff.failed()
    for (const waiting of group) if (!isPatient(waiting)) waiting.fail(failure)
  }
}
