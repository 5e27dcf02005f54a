/** A pet store's HTTP service as far as an import needs it, with faults on demand. */
import type { Category, Pet, PetStatus } from "@petstore/core"
import { type Asking, NoReply, type Reply, type Transport } from "../../src/import/Transport.js"

/** What happens to a request. `lost`: done, but the reply is lost. `crash`: the importing process dies. */
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

  /** A connection to the service; once it has crashed it carries nothing any more, but what is under way is still done. */
  transport(fault: (asking: Asking) => Fault = () => undefined): Transport {
    let crashed = false
    const send = async (asking: Asking): Promise<Reply> => {
      if (crashed) throw new Crash()
      this.seen.push(`${asking.method} ${asking.path}`)
      const what = fault(asking)
      if (what === "crash") crashed = true
      for (let turn = 0; turn < 1 + (asking.path.length % 3); turn++) await Promise.resolve()
      if (what === "unsent") throw new NoReply("the connection broke")
      if (what === "busy") return reply(503, {}, "1")
      if (what === "limited") return reply(429, {}, "60")
      if (what === "broken") return reply(500, { code: "internal", message: "a mistake", status: 500 })
      const answer = this.answer(asking)
      if (crashed) throw new Crash()
      if (what === "lost") throw new NoReply("the connection broke")
      return answer
    }
    return { send, close: () => undefined }
  }

  add({ name, categoryId, status = "available" }: Body): Pet {
    const pet = { id: this.#nextPet++, name, categoryId, status }
    this.pets.push(pet)
    return pet
  }

  answer({ method, path, body }: Asking): Reply {
    const url = new URL(path, "http://localhost")
    const query = url.searchParams
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
    const newest = this.pets.filter((pet) => pet.id < before).sort((left, right) => right.id - left.id)
    const page = newest.slice(0, limit)
    const link =
      newest.length > limit
        ? `</pets?sort=-id&limit=${limit}&cursor=${page.at(-1)?.id}>; rel="next"`
        : undefined
    return reply(200, page, undefined, link)
  }
}

const reply = (status: number, body: unknown, retryAfter?: string, link?: string): Reply => ({
  status,
  retryAfter,
  link,
  body: JSON.stringify(body)
})
