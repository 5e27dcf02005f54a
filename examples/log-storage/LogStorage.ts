/**
 * A third storage, written as anyone would write one: all that was ever written, line by line in a
 * file, and what it comes to in memory. One line of JSON is one committed transaction, so a
 * transaction is there in whole or not at all. The line is written and synced as the last step of
 * its program: where that fails, memory rolls back what the program did.
 *
 * Left out, as this is an example: the log is never shortened, and one process has the file at a
 * time.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import {
  COLLECTIONS,
  isWrite,
  type Program,
  type Refuse,
  type Request,
  refuse,
  Storage,
  StorageError,
  Usage,
  type UsageRecord,
  type WriteRequest
} from "@petstore/core/storage"
import { MemoryStorage } from "@petstore/storage-memory"
import { Context, Effect, Layer } from "effect"

/** A change as it is written down: with its collection's name in place of the description. */
type Noted = {
  readonly [C in WriteRequest as C["op"]]: Omit<C, "collection"> & { readonly collection: string }
}[WriteRequest["op"]]

/**
 * A line: the changes of one transaction, or what one caller's count of use became (null for none).
 */
type Line =
  | { readonly changes: ReadonlyArray<Noted> }
  | { readonly caller: string; readonly usage: UsageRecord | null }

type Decide<A> = (
  current: UsageRecord | undefined
) => readonly [answer: A, next: UsageRecord | undefined]

const collections = new Map(COLLECTIONS.map((each) => [each.name, each]))

const noted = (change: WriteRequest): Noted => ({ ...change, collection: change.collection.name })

/**
 * The program that makes the changes of a line again. Ids come out as they did: inserts are made in
 * the same order.
 */
function* repeat(changes: ReadonlyArray<Noted>): Program<void> {
  for (const change of changes) {
    const collection = collections.get(change.collection)
    if (collection === undefined) throw new Error(`there is no collection ${change.collection}`)
    yield { ...change, collection }
  }
}

class Log {
  readonly #file: number
  #size = 0

  constructor(filename: string) {
    this.#file = openSync(filename, "a+")
  }

  /** All whole lines. What a crash has left behind the last of them is cut off. */
  read(): ReadonlyArray<Line> {
    const text = readFileSync(this.#file, "utf8")
    const whole = text.slice(0, text.lastIndexOf("\n") + 1)
    this.#size = Buffer.byteLength(whole)
    ftruncateSync(this.#file, this.#size)
    return whole === ""
      ? []
      : whole
          .trimEnd()
          .split("\n")
          .map((line): Line => JSON.parse(line))
  }

  /** The line is on the disk, or it throws and the file is as before. */
  append(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
      fsyncSync(this.#file)
      this.#size += bytes.length
    } catch (cause) {
      ftruncateSync(this.#file, this.#size)
      throw cause
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}

const failed = (cause: unknown): StorageError =>
  new StorageError({
    reason: Reflect.get(Object(cause), "code") === "ENOSPC" ? "Full" : "Unavailable",
    detail: "the log can't be read or written",
    cause
  })

/** The program as it is, and then, if it has changed anything, the line that says so. */
function* logging<A, E>(log: Log, start: () => Program<A, E>): Program<A, E | StorageError> {
  const steps: Iterator<Request | Refuse<E>, A, unknown> = start()
  const changes: Array<Noted> = []
  try {
    let step = steps.next()
    while (step.done !== true) {
      if (isWrite(step.value)) changes.push(noted(step.value))
      step = steps.next(yield step.value)
    }
    const line = changes.length === 0 ? undefined : attempt(() => log.append({ changes }))
    if (line instanceof StorageError) yield* refuse(line)
    return step.value
  } finally {
    steps.return?.()
  }
}

const attempt = (act: () => void): StorageError | undefined => {
  try {
    act()
    return undefined
  } catch (cause) {
    return failed(cause)
  }
}

const open = (filename: string) =>
  Effect.gen(function* () {
    const memory = yield* Storage
    const counts = yield* Usage
    const log = yield* Effect.acquireRelease(
      Effect.try({ try: () => new Log(filename), catch: failed }),
      (opened) => Effect.sync(() => opened.close())
    )
    for (const line of yield* Effect.try({ try: () => log.read(), catch: failed })) {
      yield* "changes" in line
        ? memory.write(() => repeat(line.changes))
        : counts.modify(line.caller, () => [undefined, line.usage ?? undefined])
    }
    return Context.make(Storage, {
      read: memory.read,
      write: (program) => memory.write(() => logging(log, program))
    }).pipe(
      Context.add(Usage, {
        modify: <A>(caller: string, decide: Decide<A>) =>
          Effect.flatten(
            counts.modify<Effect.Effect<A, StorageError>>(caller, (current) => {
              const [answer, next] = decide(current)
              const error =
                next === current
                  ? undefined
                  : attempt(() => log.append({ caller, usage: next ?? null }))
              return error === undefined
                ? [Effect.succeed(answer), next]
                : [Effect.fail(error), current]
            })
          )
      })
    )
  })

/** Keeps a store in a log file, which is made where there is none. */
export const LogStorage = {
  layer: (options: { readonly filename: string }): Layer.Layer<Storage | Usage, StorageError> =>
    Layer.scopedContext(open(options.filename)).pipe(Layer.provide(MemoryStorage.layer))
}
