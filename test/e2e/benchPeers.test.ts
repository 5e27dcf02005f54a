/** The peers of the benchmark do what the store does: no figure comes from doing less. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FIRST_PAGE, NEW_PET, newOrder } from "../bench/http/works.js"
import { PEERS, PEERS_OVER, type Served, type Storage } from "../bench/peers/Peer.js"

type Asked = { readonly path: string; readonly body?: string; readonly key?: string }

const ask = async ({ port, key }: Served, asked: Asked) => {
  const response = await fetch(`http://127.0.0.1:${port}${asked.path}`, {
    ...(asked.body === undefined ? {} : { method: "POST", body: asked.body }),
    headers: {
      "x-api-key": asked.key ?? key,
      // As the load asks: none of them compresses.
      "accept-encoding": "identity",
      ...(asked.body === undefined ? {} : { "content-type": "application/json" })
    }
  })
  const fields = [...response.headers.keys()].toSorted()
  return { status: response.status, fields, text: await response.text(), headers: response.headers }
}

/** The measured works, and the evidence that each was served. */
const MEASURED: Readonly<Record<string, Asked>> = {
  "GET /pets/{petId}": { path: "/pets/7" },
  "POST /pets": { path: "/pets", body: NEW_PET },
  "GET /pets?status=available&limit=50": { path: FIRST_PAGE },
  "POST /store/orders": { path: "/store/orders", body: newOrder(1) }
}

const REFUSED: Readonly<Record<string, Asked>> = {
  "an unknown key": { path: "/pets/7", key: "ps_0000" },
  "a pet that there is not": { path: "/pets/99999" },
  "an id that is none": { path: "/pets/x" },
  "a pet without a name": { path: "/pets", body: '{"categoryId":1}' },
  "a pet with a member too many": { path: "/pets", body: '{"name":"Rex","categoryId":1,"age":3}' },
  "a pet of a category that there is not": { path: "/pets", body: '{"name":"Rex","categoryId":9}' },
  "a status that there is not": { path: "/pets?status=lost" },
  "a limit beyond the bound": { path: "/pets?status=available&limit=101" },
  "an order of no unit": { path: "/store/orders", body: '{"petId":1,"quantity":0}' },
  "an order of a pet that there is not": { path: "/store/orders", body: '{"petId":99999}' }
}

/**
 * The platform answers these in its own way: 400 without our payload, and a member too many it lets
 * pass.
 */
const BY_THE_PLATFORM: ReadonlySet<string> = new Set([
  "an id that is none",
  "a pet without a name",
  "a pet with a member too many",
  "an order of no unit"
])

describe.each(["memory", "file"] as const)("over storage in %s", (storage: Storage) => {
  const running = new Map<string, Served>()
  const served = (name: string): Served => {
    const found = running.get(name)
    if (found === undefined) throw new Error(`${name} is not running`)
    return found
  }
  const others = PEERS_OVER[storage].filter((name) => name !== "petstore")

  beforeAll(async () => {
    for (const name of PEERS_OVER[storage]) running.set(name, await (await PEERS[name]())(storage))
  })
  afterAll(async () => {
    for (const { close } of running.values()) await close()
  })

  describe.each(others)("%s", (name) => {
    it.each(Object.entries(MEASURED))(
      "answers %s as the store does, with the same header fields",
      async (_, asked) => {
        const own = await ask(served("petstore"), asked)
        const its = await ask(served(name), asked)
        expect(own.status).toBeLessThan(300)
        expect(its.status).toBe(own.status)
        // Ids of what is made differ where others have made some before.
        const made = own.status === 201
        const shown = (text: string): unknown => (made ? { ...JSON.parse(text), id: 0 } : text)
        expect(shown(its.text)).toEqual(shown(own.text))
        expect(its.fields).toEqual(own.fields)
        expect(its.headers.get("ratelimit-policy")).toBe(own.headers.get("ratelimit-policy"))
      }
    )

    const refused = Object.entries(REFUSED).filter(
      ([what]) => name !== "httpapi" || !BY_THE_PLATFORM.has(what)
    )
    it.each(refused)("refuses %s with the same status", async (_, asked) => {
      const own = await ask(served("petstore"), asked)
      const its = await ask(served(name), asked)
      expect(own.status).toBeGreaterThanOrEqual(400)
      expect(its.status).toBe(own.status)
      expect(JSON.parse(its.text).status).toBe(own.status)
    })

    it("counts each request", async () => {
      const remaining = async () =>
        Number((await ask(served(name), { path: "/pets/7" })).headers.get("x-ratelimit-remaining"))
      const before = await remaining()
      const after = await remaining()
      // A minute may have begun in between.
      expect(after === before - 1 || after > before).toBe(true)
    })

    it("has the pages that the store has", async () => {
      const pagesOf = async (peer: Served): Promise<ReadonlyArray<string>> => {
        const texts: Array<string> = []
        for (let path: string | undefined = "/pets?status=sold&limit=50"; path !== undefined;) {
          const { text, headers } = await ask(peer, { path })
          texts.push(text)
          path = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]
        }
        return texts
      }
      const own = await pagesOf(served("petstore"))
      expect(own.length).toBe(7)
      expect(await pagesOf(served(name))).toEqual(own)
    })
  })
})
