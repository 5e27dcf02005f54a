/** What is measured beside a mounted store does what the store does. */
import { describe, expect, it } from "vitest"
import { NEW_PET } from "../bench/http/works.js"
import { nodeServer } from "../bench/mounted/fetchHosts.js"
import { express, fastify } from "../bench/mounted/nodeHosts.js"
import { mountedWorks } from "../bench/mounted/works.js"
import type { Target } from "../bench/http/works.js"

const HOSTS = { "@hono/node-server": nodeServer, Express: express, Fastify: fastify }

const PATHS: Readonly<Record<string, string>> = {
  "GET /pets/{petId}": "/pets/7",
  "POST /pets": "/pets",
  "GET /pets?status=available&limit=50": "/pets?status=available&limit=50"
}

const ask = async ({ port, key }: Target, work: string, presented = key) => {
  const body = work.startsWith("POST") ? { method: "POST", body: NEW_PET } : {}
  const answer = await fetch(`http://127.0.0.1:${port}${PATHS[work]}`, {
    ...body,
    headers: {
      "x-api-key": presented,
      "content-type": "application/json",
      // As the load asks. Only the node handler compresses, so only its lists vary by this field.
      "accept-encoding": "identity"
    }
  })
  const fields = [...answer.headers.keys()].filter((name) => name !== "vary").toSorted()
  return { status: answer.status, fields, body: await answer.json(), headers: answer.headers }
}

/** The fields that have to have the same value. */
const NAMED = ["ratelimit-policy", "etag", "link", "location", "deprecation", "sunset"]

/** The value of a field. Cursors are each service's own. */
const valueOf = ({ headers }: { readonly headers: Headers }, name: string) =>
  headers.get(name)?.replace(/cursor=[^>]*/, "cursor=")

describe.each(Object.entries(HOSTS))("on %s", (_, start) => {
  it("the service by hand answers every measured work as the store does", async () => {
    const [store, hand] = [await start("store"), await start("hand")]
    for (const { work } of mountedWorks(true)) {
      const own = await ask(store, work.name)
      const its = await ask(hand, work.name)
      expect(own.status, work.name).toBe(work.expected)
      expect(its.status).toBe(work.expected)
      expect(its.fields).toEqual(own.fields)
      expect(its.body).toEqual(own.body)
      for (const name of NAMED) expect(valueOf(its, name), name).toBe(valueOf(own, name))
      expect((await ask(hand, work.name, "ps_0000")).status).toBe(401)
    }
  })

  it("the service by hand counts each request", async () => {
    const hand = await start("hand")
    const remaining = async () =>
      Number((await ask(hand, "GET /pets/{petId}")).headers.get("x-ratelimit-remaining"))
    const before = await remaining()
    const after = await remaining()
    // A minute may have begun in between.
    expect(after === before - 1 || after > before).toBe(true)
  })
})
