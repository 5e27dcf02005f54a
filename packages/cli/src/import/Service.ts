/** The service as the import sees it: categories by name, pets to add, the newest pets. Every call waits its turn. */
import type { PetStatus } from "@petstore/core"
import { Category, Pet } from "@petstore/core/schema"
import * as Schema from "effect/Schema"
import { shown } from "../terminal/text.js"
import type { Refusal } from "./checkRow.js"
import { ImportStopped, type Patience } from "./Patience.js"
import { type Asking, NoReply, type Reply, type Transport } from "./Transport.js"

/** What became of adding a pet. `doubtful`: no usable reply came, so the service may or may not have added it. */
export type Added =
  | { readonly kind: "loaded"; readonly pet: Pet }
  | ({ readonly kind: "refused" } & Refusal)
  | { readonly kind: "doubtful"; readonly why: string }

export type WantedPet = {
  readonly name: string
  readonly categoryId: number
  readonly status: PetStatus | undefined
}

export type FoundCategory = { readonly id: number; readonly created: boolean }

/** The record or records of a reply; throws where it is something else. */
const reading = <A, I>(schema: Schema.Schema<A, I>) => {
  const is = Schema.is(schema)
  return ({ status, body }: Reply): A => {
    try {
      const value: unknown = JSON.parse(body)
      if (is(value)) return value
    } catch {
      // said below
    }
    throw new ImportStopped(
      `the service answered ${status} with something else than it should: is this the URL of a pet store?`
    )
  }
}

const petOf = reading(Pet)
const petsOf = reading(Schema.Array(Pet))
const categoryOf = reading(Category)
const categoriesOf = reading(Schema.Array(Category))

/** The service's own words where it has some. */
const refusalOf = ({ status, body }: Reply): Refusal => {
  try {
    const { code, message }: { readonly code?: unknown; readonly message?: unknown } = JSON.parse(body)
    if (typeof code === "string" && typeof message === "string") return { code, message }
  } catch {
    // not the service's own: a proxy's, perhaps
  }
  return { code: `http_${status}`, message: `the service answered ${status}: ${shown(body, 80)}` }
}

/** Statuses that say something about one record, and not about the import as a whole. */
const ABOUT_THE_RECORD: ReadonlySet<number> = new Set([400, 409, 413, 422])

const stopped = (reply: Reply, path: string): ImportStopped => {
  if (reply.status >= 300 && reply.status < 400) return new ImportStopped(redirected(reply, path))
  const { code, message } = refusalOf(reply)
  return new ImportStopped(`the service says ${reply.status} ${code}: ${message}`)
}

/** Redirects are not followed, so that the key goes only where it was meant for. */
const redirected = ({ status, location }: Reply, path: string): string => {
  if (location === undefined) return `the service answers ${status}, and not where it is: is --url right?`
  const base = location.endsWith(path) ? location.slice(0, -path.length) : undefined
  return base === undefined
    ? `the service answers ${status} and points to ${shown(location, 200)}: is --url right?`
    : `the service answers ${status}: it is at ${shown(base, 200)}; give that with --url`
}

/** The query of the page that comes after this one. */
const nextQuery = (link: string | undefined): string | undefined => {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "") ?? []
  return target === undefined ? undefined : new URL(target, "http://localhost").search
}

export class Service {
  readonly transport: Transport
  readonly patience: Patience
  readonly #categories = new Map<string, Promise<FoundCategory>>()

  constructor(transport: Transport, patience: Patience) {
    this.transport = transport
    this.patience = patience
  }

  /** The category of exactly this name, the oldest if there are several; made if there is none. */
  category(name: string): Promise<FoundCategory> {
    const known = this.#categories.get(name)
    if (known !== undefined) return known
    const found = this.#findOrCreate(name)
    this.#categories.set(name, found)
    return found
  }

  /** Sends once, after as many waits as the service asks for. */
  async add(pet: WantedPet, idempotencyKey: string): Promise<Added> {
    const asking: Asking = { method: "POST", path: "/pets", body: pet, idempotencyKey }
    for (;;) {
      await this.patience.turn()
      let reply: Reply
      try {
        reply = await this.transport.send(asking)
      } catch (cause) {
        if (cause instanceof NoReply) return { kind: "doubtful", why: cause.message }
        throw cause
      }
      if (reply.status === 201) {
        this.patience.worked()
        return { kind: "loaded", pet: petOf(reply) }
      }
      if (this.patience.putsOff(reply)) continue
      if (ABOUT_THE_RECORD.has(reply.status)) {
        this.patience.worked()
        return { kind: "refused", ...refusalOf(reply) }
      }
      if (reply.status >= 500 && reply.status !== 507)
        return { kind: "doubtful", why: `the service answers ${reply.status}` }
      throw stopped(reply, asking.path)
    }
  }

  /** The id of the newest pet, 0 when there is none. */
  async newestPet(): Promise<number> {
    const [newest] = petsOf(await this.#read("/pets?sort=-id&limit=1"))
    return newest?.id ?? 0
  }

  /** Which of these pets there are still. */
  async existing(ids: ReadonlyArray<number>): Promise<number> {
    if (ids.length === 0) return 0
    const query = ids.map((id) => `id=${id}`).join("&")
    return petsOf(await this.#read(`/pets?${query}&limit=100`)).length
  }

  /** Pets above this id, the newest first. */
  async *petsAbove(id: number): AsyncGenerator<Pet, void, undefined> {
    let query: string | undefined = "?sort=-id&limit=100"
    while (query !== undefined) {
      const reply: Reply = await this.#read(`/pets${query}`)
      for (const pet of petsOf(reply)) {
        if (pet.id <= id) return
        yield pet
      }
      query = nextQuery(reply.link)
    }
  }

  async #findOrCreate(name: string): Promise<FoundCategory> {
    for (;;) {
      const found = await this.#find(name)
      if (found !== undefined) return { id: found, created: false }
      await this.patience.turn()
      try {
        const reply = await this.transport.send({ method: "POST", path: "/categories", body: { name } })
        if (reply.status === 201) return { id: categoryOf(reply).id, created: true }
        if (!this.patience.putsOff(reply)) throw stopped(reply, "/categories")
      } catch (cause) {
        if (!(cause instanceof NoReply)) throw cause
        this.patience.setback(cause.message) // and look again: it may be there now
      }
    }
  }

  async #find(name: string): Promise<number | undefined> {
    const oldest: Array<number> = []
    let query: string | undefined = `?name=${encodeURIComponent(name)}&limit=100`
    while (query !== undefined) {
      const reply: Reply = await this.#read(`/categories${query}`)
      for (const each of categoriesOf(reply)) if (each.name === name) oldest.push(each.id)
      query = nextQuery(reply.link)
    }
    return oldest.length === 0 ? undefined : Math.min(...oldest)
  }

  /** Reads until there is an answer; reading twice does no harm. */
  async #read(path: string): Promise<Reply> {
    for (;;) {
      await this.patience.turn()
      try {
        const reply = await this.transport.send({ method: "GET", path })
        if (reply.status === 200) {
          this.patience.worked()
          return reply
        }
        if (this.patience.putsOff(reply)) continue
        if (reply.status < 500) throw stopped(reply, path)
        this.patience.setback(`the service answers ${reply.status}`)
      } catch (cause) {
        if (!(cause instanceof NoReply)) throw cause
        this.patience.setback(cause.message)
      }
    }
  }
}
