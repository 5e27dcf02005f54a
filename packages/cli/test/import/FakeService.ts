/** A pet store's HTTP service as far as an import needs it, with faults on demand. */
import type { Category, Pet, PetStatus } from "@petstore/core"
import type { ClientAnswer, ClientCall, Transport } from "@petstore/http-adapter/client"

/**
 * What happens to a request. `lost`: done, but the answer is lost. `crash`: the importing process
 * dies.
 */
export type Fault = "lost" | "unsent" | "busy" | "limited" | "broken" | "crash" | undefined

/** The importing process is gone. */
export class Crash extends Error {
  override readonly name = "Crash"
}

type Body = { readonly name: string; readonly categoryId: number; readonly status?: PetStatus }

export class FakeService {
  readonly pets: Array<Pet> = []
  readonly categories: Array<Category> = []
  /** Requests seen, in order. */
  readonly seen: Array<string> = []
  #nextPet = 1

  /**
   * A connection of a process to the service. After a crash every answer stops the process, but
   * requests that are running are still done.
   */
  connect(fault: (call: ClientCall) => Fault = () => undefined) {
    let crashed = false
    const transport: Transport = async (call) => {
      if (crashed) return reply(401, {})
      this.seen.push(`${call.method} ${call.target}`)
      const what = fault(call)
      if (what === "crash") crashed = true
      for (let turn = 0; turn < 1 + (call.target.length % 3); turn++) await Promise.resolve()
      if (what === "unsent") throw new Error("the connection broke")
      if (what === "busy") return reply(503, {}, "1")
      if (what === "limited") return reply(429, {}, "60")
      if (what === "broken")
        return reply(500, { code: "internal", message: "a mistake", status: 500 })
      const answer = this.answer(call)
      if (crashed) return reply(401, {})
      if (what === "lost") throw new Error("the connection broke")
      return answer
    }
    return { transport, hasCrashed: () => crashed }
  }

  add({ name, categoryId, status = "available" }: Body): Pet {
    const pet = { id: this.#nextPet++, name, categoryId, status }
    this.pets.push(pet)
    return pet
  }

  answer({ method, target, body: text = "null" }: ClientCall): ClientAnswer {
    const url = new URL(target, "http://localhost")
    const query = url.searchParams
    const body: unknown = JSON.parse(text)
    if (method === "POST" && url.pathname === "/categories") {
      const { name } = body as { readonly name: string }
      const category = { id: this.categories.length + 1, name }
      this.categories.push(category)
      return reply(201, category)
    }
    if (url.pathname === "/categories") {
      const prefix = (query.get("name") ?? "").toLowerCase()
      return reply(
        200,
        this.categories.filter((each) => each.name.toLowerCase().startsWith(prefix))
      )
    }
    if (method === "POST") {
      const asked = body as Body
      return asked.name === "Voldemort"
        ? reply(422, { code: "validation_failed", message: "name: not that one", status: 422 })
        : reply(201, this.add(asked))
    }
    const ids = query.getAll("id").map(Number)
    if (ids.length > 0)
      return reply(
        200,
        this.pets.filter((pet) => ids.includes(pet.id))
      )
    const limit = Number(query.get("limit"))
    const before = Number(query.get("cursor") ?? Number.MAX_SAFE_INTEGER)
    const newest = this.pets
      .filter((pet) => pet.id < before)
      .sort((left, right) => right.id - left.id)
    const page = newest.slice(0, limit)
    const link =
      newest.length > limit
        ? `</pets?sort=-id&limit=${limit}&cursor=${page.at(-1)?.id}>; rel="next"`
        : undefined
    return reply(200, page, undefined, link)
  }
}

const reply = (
  status: number,
  body: unknown,
  retryAfter?: string,
  link?: string
): ClientAnswer => ({
  status,
  header: (name) => ({ "retry-after": retryAfter, link })[name] ?? null,
  text: JSON.stringify(body)
})
