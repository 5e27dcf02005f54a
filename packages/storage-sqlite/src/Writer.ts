/**
 * Runs writing programs on the one connection that writes. Programs that are submitted together share a commit, and with it
 * the one wait for the disk; each has a savepoint of its own, so one that is refused rolls back alone.
 */
import { type Program, StorageError } from "@petstore/core"
import type { Database, Statement } from "better-sqlite3"
import { Either } from "effect"
import { keeps, type Outcome, outcomeOf, Submission, type Waiting } from "./Submission.js"
import { failureOf } from "./sqliteFailure.js"
import { Tables } from "./Tables.js"
import type { Turn } from "./Turn.js"

export type WriterOptions = {
  /** How long a submitted program waits for other processes before it fails as `Busy`, in milliseconds. */
  readonly busyMs: number
  /** Milliseconds now, by a clock that is never set. */
  readonly nowMs: () => number
  /** Why no write can be taken now, if so: looked at before every commit. */
  readonly refusal: () => StorageError | undefined
}

/** At most so many programs share a commit, so that the first does not wait long for the last. */
const GROUP_SIZE = 256

/** Pauses between tries while another process writes, in milliseconds; the last one repeats. */
const PAUSES_MS = [1, 2, 4, 8, 16, 25]

export class Writer {
  readonly #file: Database
  readonly #tables: Tables
  readonly #turn: Turn
  readonly #options: WriterOptions
  readonly #sql: Readonly<Record<"begin" | "commit" | "rollback" | "savepoint" | "release" | "rollbackTo", Statement>>
  #queue: Array<Waiting> = []
  #tries = 0
  #timer: NodeJS.Immediate | NodeJS.Timeout | undefined

  constructor(file: Database, turn: Turn, options: WriterOptions) {
    this.#file = file
    this.#tables = new Tables(file)
    this.#turn = turn
    this.#options = options
    this.#sql = {
      begin: file.prepare("BEGIN IMMEDIATE"),
      commit: file.prepare("COMMIT"),
      rollback: file.prepare("ROLLBACK"),
      savepoint: file.prepare("SAVEPOINT program"),
      release: file.prepare("RELEASE program"),
      rollbackTo: file.prepare("ROLLBACK TO program")
    }
  }

  /** Runs a program now, in a commit of its own. While another process writes it waits no longer than the file's timeout. */
  runNow<A, E>(program: () => Program<A, E>): Either.Either<A, E | StorageError> {
    const outcome = this.#turn.take(() => this.#alone(program))
    if (outcome._tag === "Died") throw outcome.defect
    return outcome.answer
  }

  #alone<A, E>(program: () => Program<A, E>): Outcome<A, E> {
    const refusal = this.#options.refusal()
    if (refusal !== undefined) return { _tag: "Answered", answer: Either.left(refusal) }
    try {
      this.#sql.begin.run()
      const outcome = outcomeOf(program, this.#tables.write)
      if (keeps(outcome)) this.#sql.commit.run()
      else this.#abandon()
      return outcome
    } catch (thrown) {
      this.#abandon()
      return { _tag: "Answered", answer: Either.left(failureOrThrow(thrown)) }
    }
  }

  #abandon(): void {
    if (this.#file.inTransaction) this.#sql.rollback.run()
  }

  /** Runs a program with the next group and tells of it after the commit. A cancelled one that has not run never does. */
  submit<A, E>(program: () => Program<A, E>, tell: (outcome: Outcome<A, E>) => void): Submission<A, E> {
    const submission = new Submission(program, this.#options.nowMs(), tell)
    this.#queue.push(submission)
    this.#timer ??= setImmediate(this.#commitGroup)
    return submission
  }

  /** Commits all that waits, as far as it can be had at once. For closing. */
  readonly drain = (): void => {
    while (this.#queue.length > 0) {
      const before = this.#queue.length
      this.#commitGroup()
      if (this.#queue.length === before) break
    }
    this.#stopTimer()
    for (const waiting of this.#queue.splice(0)) waiting.fail(new StorageError({ reason: "Busy", detail: "closing" }))
  }

  #stopTimer(): void {
    clearTimeout(this.#timer as NodeJS.Timeout)
    clearImmediate(this.#timer as NodeJS.Immediate)
    this.#timer = undefined
  }

  readonly #commitGroup = (): void => {
    this.#stopTimer()
    const group = this.#queue.splice(0, GROUP_SIZE).filter((waiting) => !waiting.isCancelled())
    if (group.length > 0) this.#turn.take(() => this.#begin(group) && this.#runGroup(group))
    if (this.#queue.length > 0) this.#timer ??= setImmediate(this.#commitGroup)
  }

  /** Takes the write lock; where another process has it, the group waits in the queue, or fails when it has waited enough. */
  #begin(group: ReadonlyArray<Waiting>): boolean {
    const failure = this.#options.refusal() ?? this.#tryBegin()
    if (failure === undefined) {
      this.#tries = 0
      return true
    }
    const nowMs = this.#options.nowMs()
    const patient = group.filter(({ sinceMs }) => failure.reason === "Busy" && nowMs - sinceMs < this.#options.busyMs)
    for (const waiting of group) if (!patient.includes(waiting)) waiting.fail(failure)
    this.#queue.unshift(...patient)
    const pauseMs = PAUSES_MS[Math.min(this.#tries++, PAUSES_MS.length - 1)] ?? 1
    if (this.#queue.length > 0) this.#timer = setTimeout(this.#commitGroup, pauseMs)
    return false
  }

  #tryBegin(): StorageError | undefined {
    try {
      this.#sql.begin.run()
      return undefined
    } catch (thrown) {
      return failureOrThrow(thrown)
    }
  }

  /** Runs a group in the transaction that is open and commits it. What can't be stored together is tried one by one. */
  #runGroup(group: ReadonlyArray<Waiting>): void {
    try {
      for (const waiting of group) this.#runInSavepoint(waiting)
      this.#sql.commit.run()
    } catch (thrown) {
      this.#abandon()
      const failure = failureOrThrow(thrown)
      const [only, ...others] = group
      if (others.length === 0) only?.fail(failure)
      else for (const waiting of group) if (this.#begin([waiting])) this.#runGroup([waiting])
      return
    }
    for (const waiting of group) waiting.settle()
  }

  #runInSavepoint(waiting: Waiting): void {
    this.#sql.savepoint.run()
    if (!waiting.run(this.#tables.write)) this.#sql.rollbackTo.run()
    this.#sql.release.run()
  }
}

const failureOrThrow = (thrown: unknown): StorageError => {
  const failure = failureOf(thrown, "write")
  if (failure === undefined) throw thrown
  return failure
}
