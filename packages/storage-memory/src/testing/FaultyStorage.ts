/** The storage ports on a memory, with planned faults. */
import {
  DirectStorage,
  effectOf,
  intercept,
  isWrite,
  type MaybePromise,
  type Program,
  refuse,
  Storage,
  StorageError,
  Usage
} from "@petstore/core/storage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Memory } from "../Memory.js"
import { Crashed, type Faults, isCounted } from "./Faults.js"
import { FaultyUsage } from "./FaultyUsage.js"
import type { VirtualClock } from "./VirtualClock.js"

type Answer<A, E> = Either.Either<A, E | StorageError>

/** The refusal of a write that is to be repeated, without a fault, after the latency. */
class Delayed {
  readonly latencyMs: number
  constructor(latencyMs: number) {
    this.latencyMs = latencyMs
  }
}

export class FaultyStorage {
  /** Called when a planned fault crashes the process. */
  onCrash: () => void = () => undefined
  readonly #memory: Memory
  readonly #faults: Faults
  readonly #counts: FaultyUsage
  readonly #clock: VirtualClock
  /** Fails the writes that wait for their latency. */
  readonly #waiting = new Set<() => void>()

  constructor(memory: Memory, faults: Faults, countFaults: Faults, clock: VirtualClock) {
    this.#memory = memory
    this.#faults = faults
    this.#counts = new FaultyUsage(memory.usage, countFaults, clock, () => this.#crashed())
    this.#clock = clock
  }

  get services(): Context.Context<Storage | DirectStorage | Usage> {
    const { records } = this.#memory
    return Context.empty().pipe(
      Context.add(Storage, {
        read: (program) => Effect.suspend(() => records.read(program)),
        write: (program) => effectOf(() => this.#submit(program))
      }),
      Context.add(DirectStorage, {
        read: (program) => records.read(program),
        write: (program) => this.#write(program),
        submit: (program) => this.#submit(program),
        dataVersion: (collections) => records.dataVersion(collections)
      }),
      Context.add(Usage, { modify: this.#counts.modify })
    )
  }

  /** Fails all waiting writes: the state that they were meant for is gone. */
  dropWaiting(): void {
    for (const drop of this.#waiting) drop()
    this.#counts.dropWaiting()
  }

  #write<A, E>(program: () => Program<A, E>): Answer<A, E> {
    const answer = this.#attempt(program)
    if (!(answer instanceof Delayed)) return answer
    this.#clock.moveTo(this.#clock.unsafeCurrentTimeMillis() + answer.latencyMs)
    return this.#memory.records.write(program)
  }

  #submit<A, E>(program: () => Program<A, E>): MaybePromise<Answer<A, E>> {
    const answer = this.#attempt(program)
    if (!(answer instanceof Delayed)) return answer
    return new Promise((resolve, reject) => {
      const drop = () => {
        cancel()
        this.#waiting.delete(drop)
        resolve(
          Either.left(
            new StorageError({ reason: "Unavailable", detail: "another snapshot was restored" })
          )
        )
      }
      const cancel = this.#clock.after(answer.latencyMs, () => {
        this.#waiting.delete(drop)
        try {
          resolve(this.#memory.records.write(program))
        } catch (defect) {
          reject(defect)
        }
      })
      this.#waiting.add(drop)
    })
  }

  #attempt<A, E>(program: () => Program<A, E>): Answer<A, E> | Delayed {
    let isLost = false
    const answer = this.#memory.records.write(() => this.#faulty(program, () => (isLost = true)))
    if (isLost) throw this.#crashed()
    if (Either.isRight(answer)) return Either.right(answer.right)
    return answer.left instanceof Delayed ? answer.left : Either.left(answer.left)
  }

  /**
   * The program itself; if it has written something, the fault of that write happens at its end.
   */
  *#faulty<A, E>(
    start: () => Program<A, E>,
    lose: () => void
  ): Program<A, E | StorageError | Delayed> {
    let counts = false
    const result = yield* intercept(start(), function* (request) {
      if (isWrite(request)) counts ||= isCounted(request.collection.name)
      return yield request
    })
    const fault = counts ? this.#faults.next() : undefined
    if (fault === "CrashBeforeCommit") throw this.#crashed()
    if (fault === "CrashAfterCommit") lose()
    else if (typeof fault === "object") yield* refuse(new Delayed(fault.latencyMs))
    else if (fault !== undefined)
      yield* refuse(new StorageError({ reason: fault, detail: "planned by the test" }))
    return result
  }

  #crashed(): Crashed {
    this.onCrash()
    return new Crashed()
  }
}
