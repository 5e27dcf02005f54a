/** A client with the methods of the store: code for an open store also runs on a service. */
import type { Page } from "@petstore/core"
import { type DetailedAnswer, detailedAnswerOf } from "./DetailedAnswer.js"
import { callOf } from "./callOf.js"
import { type FollowEvents, makeFollowEvents } from "./followEvents.js"
import { failureOf, pageOf, recordOf } from "./readAnswer.js"
import { type Groups, ROUTES, type Route } from "../contract/routes.js"
import { type ClientOptions, retry } from "./retry.js"
import { isRecordOf } from "./shapes.js"
import type { ClientAnswer } from "./Transport.js"

/** The same methods, which resolve with the header fields as well. */
export type DetailedClient = {
  readonly [Group in keyof Groups]: {
    readonly [Name in keyof Groups[Group]]: Groups[Group][Name] extends (
      ...input: infer Input
    ) => Promise<infer A>
      ? (...input: Input) => Promise<DetailedAnswer<A>>
      : never
  }
}

type ListOf<Group> = Group extends {
  readonly list: (query?: infer Query) => Promise<Page<infer A>>
}
  ? {
      /**
       * Every record of the list. Each page is read when it is needed. A record whose value in a
       * filter or in `sort` changes meanwhile may come twice or not at all; ids never change.
       */
      readonly all: (query?: Query) => AsyncIterable<A>
      /** Every page of the list. */
      readonly pages: (query?: Query) => AsyncIterable<Page<A>>
    }
  : never

/** The methods of the store, called over HTTP. */
export type PetStoreClient = {
  readonly [Group in Exclude<keyof Groups, "pets">]: Groups[Group] & ListOf<Groups[Group]>
} & {
  readonly pets: Omit<Groups["pets"], "get"> &
    ListOf<Groups["pets"]> & {
      /**
       * One pet. Rejects with `not_found`.
       * @deprecated The operation goes on 2027-12-01: use `list({ id })`, which answers the same.
       */
      readonly get: Groups["pets"]["get"]
    }
  /**
   * The changes of the shop as they are made, in order, without gaps or repeats. Reconnects by
   * itself. Yields a `resync` in place of changes that are no longer stored: load the shop again
   * and go on. The operation is experimental; calling this opts in.
   *
   * @example
   * for await (const event of shop.events({ types: ["order.completed"] })) {
   *   if (event.type === "resync") await loadEverything()
   *   else ship(event.record)
   * }
   */
  readonly events: FollowEvents
  /** The same methods, which resolve with limits, tag and lifecycle as well. */
  readonly detailed: DetailedClient
  /**
   * The same client, whose calls reject with the reason of the signal once it aborts, also while
   * they wait for a retry. A change that was on its way may have been made.
   *
   * @example
   * const signal = AbortSignal.timeout(2_000)
   * const page = await shop.withSignal(signal).pets.list({ status: "available" })
   */
  readonly withSignal: (signal: AbortSignal) => PetStoreClient
}

/**
 * A client that waits as long as `Retry-After` asks for, iterates over lists, and makes a change
 * only once even if its answer is lost.
 *
 * @example
 * const shop = petStoreClient({ transport: fetchTransport("http://127.0.0.1:3000"), key: "ps_…" })
 * for await (const pet of shop.pets.all({ status: "available" })) console.log(pet.name)
 */
export const petStoreClient = (options: ClientOptions): PetStoreClient => clientOf(options, [])

/** The calls of this client end as soon as one of the signals aborts. */
const clientOf = (options: ClientOptions, signals: ReadonlyArray<AbortSignal>): PetStoreClient => {
  const { nowMs = Date.now } = options
  const send = retry(options, signals)

  const methodOf =
    <A>(route: Route, read: (answer: ClientAnswer) => A) =>
    async (...input: ReadonlyArray<unknown>): Promise<DetailedAnswer<A>> => {
      const answer = await send(callOf(route, input))
      if (!route.statuses.includes(answer.status)) throw failureOf(answer, nowMs())
      return detailedAnswerOf(answer, read(answer), nowMs())
    }

  const groupOf = (name: keyof Groups) => {
    const routes: Routes = ROUTES[name]
    const isRecord = isRecordOf(name)
    const list = methodOf(routes.list, (answer) => pageOf(answer, isRecord))
    const record = (answer: ClientAnswer) => recordOf(answer, isRecord)
    const details = {
      ...Object.fromEntries(
        Object.entries(routes).map(([verb, route]) => [verb, methodOf(route, record)])
      ),
      list
    }
    const verbs = Object.entries(details).map(([verb, call]) => {
      const plain = async (...input: ReadonlyArray<unknown>) => (await call(...input)).value
      return [verb, plain] as const
    })
    const pages = (query?: object) =>
      pagesOf(async (pageQuery) => (await list(pageQuery)).value, query)
    return {
      details,
      verbs: { ...Object.fromEntries(verbs), pages, all: (query?: object) => itemsOf(pages(query)) }
    }
  }

  const groups = GROUPS.map((name) => [name, groupOf(name)] as const)
  // The one cast. ROUTES has exactly one route for each method, or it does not compile.
  return {
    ...Object.fromEntries(groups.map(([name, { verbs }]) => [name, verbs])),
    events: makeFollowEvents(options, signals),
    withSignal: (other: AbortSignal) => clientOf(options, [...signals, other]),
    detailed: Object.fromEntries(groups.map(([name, { details }]) => [name, details]))
  } as PetStoreClient
}

/** The cast says that ROUTES has no other keys than its type. */
const GROUPS = Object.keys(ROUTES) as ReadonlyArray<keyof Groups>

/** The routes of a group: each has a list. */
type Routes = Readonly<Record<string, Route>> & { readonly list: Route }

async function* pagesOf(
  list: (query: object) => Promise<Page<unknown>>,
  query: object = {}
): AsyncGenerator<Page<unknown>> {
  let page = await list(query)
  yield page
  while (page.next !== undefined) {
    page = await list({ ...query, cursor: page.next })
    yield page
  }
}

async function* itemsOf(pages: AsyncIterable<Page<unknown>>): AsyncGenerator {
  for await (const page of pages) yield* page.items
}
