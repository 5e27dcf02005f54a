/**
 * A third storage: a log of all writes in a file, and their result in memory. One line of JSON is
 * one committed transaction, so a transaction is stored completely or not at all. The line is
 * written and synced as the last step of its program: if that fails, memory rolls the program back.
 *
 * Simplified, as an example: the log is never shortened, and only one process may open the file.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs"
import {
  type Collection,
  Collections,
  intercept,
  isWrite,
  orRefuse,
  type Program,
  type Row,
  Storage,
  StorageError,
  Usage,
  type UsageRecord,
  type WriteRequest
} from "@petstore/core/storage"
import { MemoryStorage } from "@petstore/storage-memory"
import { Context, Effect, Either, Layer } from "effect"

/** The stored form of a write: with the name of its collection instead of the declaration. */
type Noted = {
  readonly [C in WriteRequest as C["op"]]: Omit<C, "collection"> & { readonly collection: string }
}[WriteRequest["op"]]

/** A line: the writes of one transaction, or the new usage record of a caller (null for none). */
type Line =
  | { readonly changes: ReadonlyArray<Noted> }
  | { readonly caller: string; readonly usage: UsageRecord | null }

/** What `act` returns; what it throws, as the failure of a storage. */
const attempt = <A>(act: () => A): Either.Either<A, StorageError> =>
  Either.try({
    try: act,
    catch: (cause) =>
      new StorageError({
        reason: Reflect.get(Object(cause), "code") === "ENOSPC" ? "Full" : "Unavailable",
        detail: "the log can't be read or written",
        cause
      })
  })

class Log {
  readonly #file: number
  #size = 0

  constructor(filename: string) {
    this.#file = openSync(filename, "a+")
  }

  /** All complete lines. A torn line at the end is cut off. */
  read(): ReadonlyArray<Line> {
    const text = readFileSync(this.#file, "utf8")
    const whole = text.slice(0, text.lastIndexOf("\n") + 1)
    this.#size = Buffer.byteLength(whole)
    ftruncateSync(this.#file, this.#size)
    const lines = whole.split("\n").slice(0, -1)
    return lines.map((line): Line => JSON.parse(line))
  }

  /** Writes and syncs the line. Throws if that fails, and leaves the file unchanged. */
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

/** Runs the program and then, if it has written anything, appends its line. */
function* logging<A, E>(log: Log, program: Program<A, E>): Program<A, E | StorageError> {
  const changes: Array<Noted> = []
  const result = yield* intercept(program, function* (request) {
    if (isWrite(request)) changes.push({ ...request, collection: request.collection.name })
    return yield request
  })
  if (changes.length > 0) yield* orRefuse(attempt(() => log.append({ changes })))
  return result
}

/**
 * The program that repeats the writes of a line. It assigns the same ids, because inserts are made
 * in the same order.
 */
function* repeat(
  collections: ReadonlyArray<Collection<Row>>,
  changes: ReadonlyArray<Noted>
): Program<void> {
  for (const change of changes) {
    const collection = collections.find(({ name }) => name === change.collection)
    if (collection === undefined) throw new Error(`there is no collection ${change.collection}`)
    yield { ...change, collection }
  }
}

const open = (filename: string) =>
  Effect.gen(function* () {
    const memory = yield* Storage
    const counts = yield* Usage
    const collections = yield* Collections
    const log = yield* Effect.acquireRelease(
      Effect.suspend(() => attempt(() => new Log(filename))),
      (opened) => Effect.sync(() => opened.close())
    )
    for (const line of yield* attempt(() => log.read())) {
      yield* "changes" in line
        ? memory.write(() => repeat(collections, line.changes))
        : counts.modify(line.caller, () => [undefined, line.usage ?? undefined])
    }
    return Context.make(Storage, {
      read: memory.read,
      write: (start) => memory.write(() => logging(log, start()))
    }).pipe(
      Context.add(Usage, {
        modify: (caller, decide) =>
          Effect.flatten(
            counts.modify(caller, (current) => {
              const [answer, next] = decide(current)
              if (next === current) return [Either.right(answer), current]
              const logged = attempt(() => log.append({ caller, usage: next ?? null }))
              return [Either.map(logged, () => answer), Either.isRight(logged) ? next : current]
            })
          )
      })
    )
  })

/** Stores a shop in a log file, which is created if it is missing. */
export const LogStorage = {
  layer: (options: { readonly filename: string }): Layer.Layer<Storage | Usage, StorageError> =>
    Layer.scopedContext(open(options.filename)).pipe(Layer.provide(MemoryStorage.layer))
}
