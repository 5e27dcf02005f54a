/** Backends that each break one promise, made of a good one: what the claims have to find out. */
import {
  BY_ID,
  EVERY_ROW,
  changes,
  insert,
  intercept,
  type Program,
  type ReadProgram,
  remove,
  type Request,
  type Row,
  scan,
  Storage,
  Usage,
  type UsageRecord,
  webhookAttempts
} from "@petstore/core/storage"
import { MemoryStorage } from "@petstore/storage-memory"
import { Context, Effect, Either, Layer } from "effect"

type StorageService = Context.Tag.Service<typeof Storage>
type Ask = (request: Request) => Program<unknown>

const breaking = (ports: {
  readonly storage?: (good: StorageService) => StorageService
  readonly usage?: () => Context.Tag.Service<typeof Usage>
}): Layer.Layer<Storage | Usage> =>
  Layer.map(MemoryStorage.layer, (good) => {
    const storage = Context.get(good, Storage)
    return Context.make(Storage, ports.storage?.(storage) ?? storage).pipe(
      Context.add(Usage, ports.usage?.() ?? Context.get(good, Usage))
    )
  })

/** A storage that asks another one something else than its programs ask. */
const asking = (ask: Ask) =>
  breaking({
    storage: (good) => ({
      read: (program) => good.write(() => intercept(program(), ask)),
      write: (program) => good.write(() => intercept(program(), ask))
    })
  })

export const keepsWhatWasRefused = breaking({
  storage: (good) => ({
    read: good.read,
    write: (program) => Effect.flatten(good.write(() => swallowing(program())))
  })
})

function* swallowing<A, E>(program: Program<A, E>): Program<Either.Either<A, E>> {
  let step = program.next()
  while (step.done !== true) {
    if (step.value.op === "refuse") return Either.left(step.value.error)
    step = program.next(yield step.value)
  }
  return Either.right(step.value)
}

/** Every request is a transaction of its own, and others come in between. */
export const interleaves = breaking({
  storage: (good) => {
    const run = <A, E>(start: () => Program<A, E>) =>
      Effect.gen(function* () {
        const program = start()
        let step = program.next()
        while (step.done !== true) {
          const request = step.value
          if (request.op === "refuse") return yield* Effect.fail(request.error)
          const answer = yield* good.write(function* (): Program<unknown> {
            return yield request
          })
          yield* Effect.yieldNow()
          step = program.next(answer)
        }
        return step.value
      })
    return { read: run, write: run }
  }
})

/** Gives the next row the id behind the last one there is. */
export const reusesIds = asking(function* (request) {
  const { key } = request.collection
  const collection = { ...request.collection, key: "given" } as const
  if (request.op !== "insert" || key === "given") return yield { ...request, collection }
  const last = yield* scan(collection, EVERY_ROW, { limit: 1, descending: true })
  return yield { ...request, collection, row: { ...request.row, id: (last[0]?.id ?? 0) + 1 } }
})

/** Gives no number back that a program was given which then refused or threw. */
export const burnsSequences = breaking({
  storage: (good) => ({
    read: good.read,
    write: (program) => {
      let appended = 0
      const burn = good.write(function* (): Program<void> {
        for (; appended > 0; appended--)
          yield* remove(changes, yield* insert(changes, { ...NO_CHANGE, recordId: 1 }))
      })
      return Effect.onError(
        good.write(() => counting(program(), () => appended++)),
        () => Effect.orDie(burn)
      )
    }
  })
})

const NO_CHANGE = {
  atMs: 0,
  type: "pet.updated",
  kind: "pet",
  accountId: null,
  requestId: null,
  before: null,
  after: null
} as const

const counting = <A, E>(program: Program<A, E>, append: () => void): Program<A, E> =>
  intercept(program, function* (request) {
    if (request.op === "insert" && request.collection.name === changes.name) append()
    return yield request
  })

/** Shows a change before the one in front of it. */
export const showsLateChanges = breaking({
  storage: (good) => {
    let hidden = -1
    const isHidden = (row: { readonly id: number }) => row.id === hidden
    return {
      read: (program) => good.read(() => hiding(program(), isHidden)),
      write: (program) =>
        Effect.tap(good.write(program), () => {
          hidden++
        })
    }
  }
})

const hiding = <A, E>(
  program: ReadProgram<A, E>,
  isHidden: (row: Row) => boolean
): ReadProgram<A, E> =>
  intercept(program, function* (request) {
    if (request.op !== "scan" || request.collection.name !== changes.name) return yield request
    const { collection, range, ...options } = request
    const rows = yield* scan(collection, range, options)
    return rows.filter((row) => !isHidden(row))
  })

/** Sorts texts as JavaScript does, by UTF-16 unit. */
export const sortsByUnit = asking(function* (request) {
  if (request.op !== "scan") return yield request
  const { collection, range, ...options } = request
  const rows = yield* scan(collection, range, options)
  return rows.toSorted((left, right) => {
    const [one, other] = [left[range.index.sort], right[range.index.sort]]
    return typeof one === "string" && typeof other === "string" && one !== other
      ? one < other
        ? -1
        : 1
      : 0
  })
})

/** Starts a page with the row that the last one ended with. */
export const repeatsRows = asking(function* (request) {
  if (request.op !== "scan" || request.after === null) return yield request
  const id = request.after.id + (request.descending ? 1 : -1)
  return yield { ...request, after: { ...request.after, id } }
})

/** Goes on behind a page by sort value alone, past the rows that share it. */
export const skipsTies = asking(function* (request) {
  if (request.op !== "scan" || request.after === null || request.range.index.sort === "id")
    return yield request
  const id = request.descending ? 0 : Number.MAX_SAFE_INTEGER - 1
  return yield { ...request, after: { ...request.after, id } }
})

/** Has the attempts of webhooks by id alone. */
export const lacksAnIndex = asking(function* (request) {
  if (request.op !== "scan" || request.collection.name !== webhookAttempts.name)
    return yield request
  return request.range.index.name === BY_ID.name ? yield request : []
})

/** Counts without looking at the bounds. */
export const countsTooMuch = asking(function* (request) {
  if (request.op !== "count") return yield request
  return yield { ...request, range: { ...request.range, atLeast: null, below: null } }
})

/** Lets others decide between reading a record and storing it. */
export const losesUse = breaking({
  usage: () => {
    const records = new Map<string, UsageRecord>()
    return {
      modify: (key, decide) =>
        Effect.gen(function* () {
          const [answer, next] = decide(records.get(key))
          yield* Effect.yieldNow()
          if (next !== undefined) records.set(key, next)
          return answer
        })
    }
  }
})

export const isNeverReady = breaking({ storage: (good) => ({ ...good, isReady: () => false }) })
