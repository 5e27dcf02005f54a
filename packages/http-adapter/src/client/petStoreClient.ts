/**
 * A client with the verbs of the store itself: what runs on an open store runs on a service. Tries again when it is told to
 * come back later, and never before.
 */
import {
  type BackoffPolicy,
  backoffMs,
  DEFAULT_BACKOFF,
  type IfRevision,
  type Page,
  type PromiseFace,
  type Shop
} from "@petstore/core"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import { type Answered, answeredOf, rateOf, retryAfterOf } from "./Answered.js"
import { isErrorCode, NoAnswer, PetStoreError, UnexpectedAnswer } from "./PetStoreError.js"
import { ROUTES, type Route } from "./routes.js"
import type { ClientAnswer, ClientCall, Transport } from "./Transport.js"

export type ClientOptions = {
  readonly transport: Transport
  /** The API key. */
  readonly key: string
  /** How often to try at most, the first time included; 5 unless given. */
  readonly tries?: number
  /** How long to wait between tries; whoever is told to wait for longer than `patienceMs` is refused instead. */
  readonly backoff?: Partial<BackoffPolicy>
  /**
   * Sends changes again that got no answer, with the same idempotency key, so that they are made once; yes unless given. Not
   * for services that keep no record of such keys.
   */
  readonly resendChanges?: boolean
  /** Called before each wait. */
  readonly onRetry?: (retry: {
    readonly waitMs: number
    readonly attempt: number
    readonly code: ErrorCode | undefined
  }) => void
  /** Waits; the platform's timer unless given. */
  readonly sleep?: (ms: number) => Promise<void>
  /** From 0 up to 1; `Math.random` unless given. */
  readonly random?: () => number
  /** Makes an idempotency key; a random UUID unless given. */
  readonly idempotencyKey?: () => string
}

type Groups = Pick<PromiseFace<Shop>, keyof typeof ROUTES>

type Verb = (...input: ReadonlyArray<never>) => Promise<unknown>

/** The same verbs, each with all that its answer says. */
export type Detailed = {
  readonly [Group in keyof Groups]: {
    readonly [Name in keyof Groups[Group]]: Groups[Group][Name] extends (
      ...input: infer Input
    ) => Promise<infer A>
      ? (...input: Input) => Promise<Answered<A>>
      : never
  }
}

type ListOf<Group> = Group extends { readonly list: (query?: infer Query) => Promise<Page<infer A>> }
  ? {
      /** Every record of the list, page after page, each asked for when it is needed. */
      readonly all: (query?: Query) => AsyncIterable<A>
      /** Every page of the list. */
      readonly pages: (query?: Query) => AsyncIterable<Page<A>>
    }
  : never

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
  /** The same verbs, answering with limits, tag and lifecycle besides. */
  readonly detailed: Detailed
}

/** The query of a list, as it travels. */
const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`)
  )
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

const isQuery = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The header field of a condition (`{ ifRevision }`), for a record of this id. */
const conditionField = (id: unknown, condition: unknown): Readonly<Record<string, string>> => {
  if (!isQuery(condition)) return {}
  const { ifRevision }: IfRevision = condition
  if (ifRevision === undefined) return {}
  if (ifRevision === "none") return { "if-none-match": "*" }
  if (ifRevision === "any") return { "if-match": "*" }
  const revisions = typeof ifRevision === "number" ? [ifRevision] : ifRevision
  // No revision is met by none: a tag that no record has.
  const tags = revisions.length === 0 ? ["0-0"] : revisions.map((revision) => `${String(id)}-${revision}`)
  return { "if-match": tags.map((tag) => `"${tag}"`).join(", ") }
}

/** What the arguments of a verb say: the id first where the path has one, then the body or the query, then the condition. */
const callOf = ({ method, path }: Route, input: ReadonlyArray<unknown>): ClientCall => {
  const rest = [...input]
  const id = path.includes("{id}") ? rest.shift() : undefined
  const target = path.replace("{id}", encodeURIComponent(String(id)))
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH"
  const body = hasBody ? JSON.stringify(rest.shift()) : undefined
  const query = method === "GET" && id === undefined ? rest.shift() : undefined
  return {
    method,
    target: isQuery(query) ? `${target}${queryText(query)}` : target,
    headers: {
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...conditionField(id, rest[0])
    },
    body
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const failureOf = (answer: ClientAnswer): PetStoreError | UnexpectedAnswer => {
  const { status, text, header } = answer
  const body = parsed(text)
  if (!isQuery(body) || !isErrorCode(body["code"])) return new UnexpectedAnswer(status)
  return new PetStoreError(body["code"], String(body["message"]), {
    status,
    retryAfterSeconds: retryAfterOf(answer),
    requestId: header("x-request-id") ?? undefined,
    rate: rateOf(answer)
  })
}

/** The cursor of the next page, from its link. */
const nextOf = ({ header }: ClientAnswer): string | undefined => {
  const query = /<[^>?]*\?([^>]*)>; rel="next"/.exec(header("link") ?? "")?.[1]
  const cursor = query?.split("&").find((pair) => pair.startsWith("cursor="))
  return cursor === undefined ? undefined : decodeURIComponent(cursor.slice("cursor=".length))
}

const valueOf = (answer: ClientAnswer): unknown => {
  if (answer.status === 204) return undefined
  const body = parsed(answer.text)
  if (body === undefined) throw new UnexpectedAnswer(answer.status)
  if (!Array.isArray(body)) return body
  const next = nextOf(answer)
  const total = answer.header("x-total-count")
  return {
    items: body,
    ...(next === undefined ? {} : { next }),
    ...(total === null ? {} : { total: Number(total) })
  }
}

const sleepForReal = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

export const petStoreClient = (options: ClientOptions): PetStoreClient => {
  const { transport, key, tries = 5, resendChanges = true, onRetry, random = Math.random } = options
  const { sleep = sleepForReal, idempotencyKey = () => globalThis.crypto.randomUUID() } = options
  const backoff = { ...DEFAULT_BACKOFF, ...options.backoff }

  /** One try: the answer, or why there is none. */
  const attempt = async (
    call: ClientCall
  ): Promise<ClientAnswer | PetStoreError | UnexpectedAnswer | NoAnswer> => {
    try {
      const answer = await transport(call)
      return answer.status < 400 ? answer : failureOf(answer)
    } catch (cause) {
      return new NoAnswer(cause)
    }
  }

  /** Whether trying the same again later may help, and does no harm: a refusal for now has changed nothing. */
  const mayRetry = (failure: PetStoreError | UnexpectedAnswer | NoAnswer, method: string): boolean => {
    if (failure instanceof PetStoreError) {
      const { status, code } = failure
      return status === 429 || status === 503 || code === "idempotency_in_progress"
    }
    return failure instanceof NoAnswer && (method === "GET" || resendChanges)
  }

  const send = async (call: ClientCall): Promise<ClientAnswer> => {
    const headers: Record<string, string> = {
      ...call.headers,
      "x-api-key": key,
      "x-api-version": "1",
      accept: "application/json"
    }
    if (call.method !== "GET") headers["idempotency-key"] = idempotencyKey()
    for (let tried = 1; ; tried++) {
      const outcome = await attempt({ ...call, headers })
      if (!(outcome instanceof Error)) return outcome
      if (tried >= tries || !mayRetry(outcome, call.method)) throw outcome
      const refusal = outcome instanceof PetStoreError ? outcome : undefined
      const waitMs = backoffMs(tried, refusal?.retryAfterSeconds, random, backoff)
      if (waitMs === undefined) throw outcome
      onRetry?.({ waitMs, attempt: tried, code: refusal?.code })
      await sleep(waitMs)
    }
  }

  const detailedVerb =
    (route: Route) =>
    async (...input: ReadonlyArray<unknown>): Promise<Answered<unknown>> => {
      const answer = await send(callOf(route, input))
      return answeredOf(answer, valueOf(answer))
    }

  async function* pages(list: Verb, query: object = {}): AsyncGenerator<Page<unknown>> {
    const ask = list as (query: object) => Promise<Page<unknown>>
    let page = await ask(query)
    yield page
    while (page.next !== undefined) {
      page = await ask({ ...query, cursor: page.next })
      yield page
    }
  }

  async function* all(list: Verb, query?: object): AsyncGenerator {
    for await (const page of pages(list, query)) yield* page.items
  }

  const groups: Record<string, Record<string, unknown>> = {}
  const detailed: Record<string, Record<string, unknown>> = {}
  for (const [group, routes] of Object.entries(ROUTES)) {
    const verbs: Record<string, unknown> = {}
    const details: Record<string, unknown> = {}
    for (const [name, route] of Object.entries<Route>(routes)) {
      const verb = detailedVerb(route)
      details[name] = verb
      verbs[name] = async (...input: ReadonlyArray<unknown>) => (await verb(...input)).value
    }
    const list = verbs["list"] as Verb
    groups[group] = {
      ...verbs,
      pages: (query?: object) => pages(list, query),
      all: (query?: object) => all(list, query)
    }
    detailed[group] = details
  }
  // The one cast: the routes have the verbs of the store's own face, which the types above say of both.
  return { ...groups, detailed } as unknown as PetStoreClient
}
