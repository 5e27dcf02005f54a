/**
 * The service as the import uses it: categories by name, pets to add, the newest pets. Every call
 * waits for the retry budget.
 */
import { randomUUID } from "node:crypto"
import type { Category, Page, Pet, PetStatus } from "@petstore/core"
import {
  NoAnswer,
  type PetStoreClient,
  petStoreClient,
  type Transport
} from "@petstore/http-adapter/client"
import { everyPage } from "../../store/everyPage.js"
import type { Refusal } from "../list/checkRow.js"
import type { RetryBudget } from "./RetryBudget.js"
import { isAnswer, noAnswerReason, refusalOf, stopReason } from "./serviceFailure.js"

/**
 * The result of adding a pet. `inDoubt`: no usable answer came, so the service may or may not have
 * added it.
 */
type AddResult =
  | { readonly kind: "loaded"; readonly pet: Pet }
  | ({ readonly kind: "refused" } & Refusal)
  | { readonly kind: "inDoubt"; readonly why: string }

type WantedPet = {
  readonly name: string
  readonly categoryId: number
  readonly status?: PetStatus
}

export type FoundCategory = { readonly id: number; readonly created: boolean }

/** How to reach the service. */
export type Connection = {
  readonly url: URL
  readonly transport: Transport
  readonly key: string
  readonly nowMs: () => number
}

/** Statuses that refuse one record, and not the import as a whole. */
const REFUSES_THE_RECORD: ReadonlySet<number> = new Set([400, 409, 413, 422])

/** Storage that is full (507) stays full: nothing was changed and a retry does not help. */
const isServerError = (status: number): boolean => status >= 500 && status !== 507

/** A client whose next change has this idempotency key; a random one if it is undefined. */
type Caller = { readonly client: PetStoreClient; idempotencyKey: string | undefined }

export class Service {
  readonly retryBudget: RetryBudget
  readonly #connection: Connection
  readonly #client: PetStoreClient
  /** Clients that have no call now. Making one for each pet would cost more than its call. */
  readonly #idle: Array<Caller> = []
  readonly #categories = new Map<string, Promise<FoundCategory>>()

  constructor(connection: Connection, retryBudget: RetryBudget) {
    this.#connection = connection
    this.#client = this.#connect().client
    this.retryBudget = retryBudget
  }

  /**
   * The category of exactly this name, the oldest if there are several. It is created if there is
   * none.
   */
  category(name: string): Promise<FoundCategory> {
    const cached = this.#categories.get(name)
    if (cached !== undefined) return cached
    const category = this.#findOrCreate(name)
    this.#categories.set(name, category)
    return category
  }

  /** Sends the pet once, after as many waits as the service asks for. */
  async add(pet: WantedPet, idempotencyKey: string): Promise<AddResult> {
    const caller = this.#idle.pop() ?? this.#connect()
    caller.idempotencyKey = idempotencyKey
    try {
      return { kind: "loaded", pet: await this.#call(() => caller.client.pets.create(pet)) }
    } catch (failure) {
      if (failure instanceof NoAnswer) return { kind: "inDoubt", why: noAnswerReason(failure) }
      if (!isAnswer(failure)) throw failure
      const { status } = failure
      if (REFUSES_THE_RECORD.has(status)) {
        this.retryBudget.succeeded()
        return { kind: "refused", ...refusalOf(failure) }
      }
      if (isServerError(status)) return { kind: "inDoubt", why: `the service answers ${status}` }
      throw stopReason(failure, this.#connection.url)
    } finally {
      this.#idle.push(caller)
    }
  }

  /** The id of the newest pet, 0 if there is none. */
  async newestPet(): Promise<number> {
    const { items } = await this.#read(() => this.#client.pets.list({ sort: "-id", limit: 1 }))
    return items[0]?.id ?? 0
  }

  /** How many of these pets still exist. */
  async existing(ids: ReadonlyArray<number>): Promise<number> {
    if (ids.length === 0) return 0
    const { items } = await this.#read(() => this.#client.pets.list({ id: ids, limit: 100 }))
    return items.length
  }

  /** Pets above this id, the newest first. */
  async *petsAbove(id: number): AsyncGenerator<Pet, void, undefined> {
    let cursor: string | undefined
    do {
      const query = {
        sort: "-id",
        limit: 100,
        ...(cursor === undefined ? {} : { cursor })
      } as const
      const page: Page<Pet> = await this.#read(() => this.#client.pets.list(query))
      for (const pet of page.items) {
        if (pet.id <= id) return
        yield pet
      }
      cursor = page.next
    } while (cursor !== undefined)
  }

  /**
   * A client without retries of its own: one budget covers all requests, and a pet in doubt is
   * looked for before it is sent again.
   */
  #connect(): Caller {
    const { transport, key, nowMs } = this.#connection
    const idempotencyKey = () => caller.idempotencyKey ?? randomUUID()
    const client = petStoreClient({ transport, key, nowMs, tries: 1, idempotencyKey })
    const caller: Caller = { client, idempotencyKey: undefined }
    return caller
  }

  async #findOrCreate(name: string): Promise<FoundCategory> {
    for (;;) {
      const id = await this.#find(name)
      if (id !== undefined) return { id, created: false }
      try {
        const category = await this.#call(() => this.#client.categories.create({ name }))
        return { id: category.id, created: true }
      } catch (failure) {
        this.#retryOrStop(failure) // the category may exist by now, so the loop looks again
      }
    }
  }

  async #find(name: string): Promise<number | undefined> {
    const list = (query: { readonly limit: number }): Promise<Page<Category>> =>
      this.#read(() => this.#client.categories.list({ ...query, name }))
    const ids = (await everyPage(list, {})).filter((each) => each.name === name).map(({ id }) => id)
    return ids.length === 0 ? undefined : Math.min(...ids)
  }

  /** Calls until there is an answer, which is safe for reads. */
  async #read<A>(call: () => Promise<A>): Promise<A> {
    for (;;) {
      try {
        return await this.#call(call)
      } catch (failure) {
        this.#retryOrStop(failure)
      }
    }
  }

  /** Calls once the budget allows it, and again while the service asks to try later. */
  async #call<A>(call: () => Promise<A>): Promise<A> {
    for (;;) {
      await this.retryBudget.ready()
      try {
        const answer = await call()
        this.retryBudget.succeeded()
        return answer
      } catch (failure) {
        if (!isAnswer(failure) || !this.retryBudget.postpones(failure)) throw failure
      }
    }
  }

  /** Charges a failure to the budget if a retry may help; throws otherwise. */
  #retryOrStop(failure: unknown): void {
    if (failure instanceof NoAnswer) this.retryBudget.failed(noAnswerReason(failure))
    else if (!isAnswer(failure)) throw failure
    else if (isServerError(failure.status))
      this.retryBudget.failed(`the service answers ${failure.status}`)
    else throw stopReason(failure, this.#connection.url)
  }
}
