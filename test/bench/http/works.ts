/** What is measured: requests of one kind, over one storage, from so many connections. */
import type { Storage } from "../peers/Peer.js"
import { forSale, PETS } from "../peers/shop/seeds.js"

export type Target = { readonly port: number; readonly key: string }

export type Work = {
  readonly name: string
  readonly storage: Storage
  readonly connections: number
  readonly expected: number
  /** What to send in turns to this server, as it goes over the wire. */
  readonly requests: (to: Target) => Promise<ReadonlyArray<Buffer>>
}

/** As reports name it. */
export const titleOf = ({ name, storage, connections }: Work): string => {
  const title = `${name}, ${storage}`
  if (connections === CONNECTIONS) return title
  return `${title}, ${connections} connection${connections === 1 ? "" : "s"}`
}

export const CONNECTIONS = 32

const request = (line: string, { key }: Target, body?: string): Buffer => {
  const more =
    body === undefined
      ? ""
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${line} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n${more}\r\n${body ?? ""}`
  )
}

const each = (count: number, make: (nth: number) => Buffer): ReadonlyArray<Buffer> =>
  Array.from({ length: count }, (_, nth) => make(nth))

const getPet: Work["requests"] = async (to) =>
  each(PETS, (nth) => request(`GET /pets/${nth + 1}`, to))

const findPet: Work["requests"] = async (to) =>
  each(PETS, (nth) => request(`GET /pets?id=${nth + 1}`, to))

export const NEW_PET = JSON.stringify({ name: "Rex the dog", categoryId: 1, status: "available" })

const addPet: Work["requests"] = async (to) => [request("POST /pets", to, NEW_PET)]

export const FIRST_PAGE = "/pets?status=available&limit=50"

/** All pages of the list, found by following its links. */
const listPets: Work["requests"] = async (to) => {
  const pages: Array<Buffer> = []
  for (let page: string | undefined = FIRST_PAGE; page !== undefined;) {
    pages.push(request(`GET ${page}`, to))
    const answer = await fetch(`http://127.0.0.1:${to.port}${page}`, {
      headers: { "x-api-key": to.key }
    })
    page = /<([^>]*)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
    await answer.arrayBuffer()
  }
  return pages
}

export const newOrder = (nth: number): string =>
  JSON.stringify({ petId: forSale(nth), quantity: 1 })

const placeOrder: Work["requests"] = async (to) =>
  each(PETS, (nth) => request("POST /store/orders", to, newOrder(nth)))

const overBoth = (work: Omit<Work, "storage">): ReadonlyArray<Work> => [
  { ...work, storage: "memory" },
  { ...work, storage: "file" }
]

const order = { name: "POST /store/orders", expected: 201, requests: placeOrder }

export const WORKS: ReadonlyArray<Work> = [
  ...overBoth({
    name: "GET /pets/{petId}",
    connections: CONNECTIONS,
    expected: 200,
    requests: getPet
  }),
  ...overBoth({ name: "POST /pets", connections: CONNECTIONS, expected: 201, requests: addPet }),
  ...overBoth({
    name: "GET /pets?status=available&limit=50",
    connections: CONNECTIONS,
    expected: 200,
    requests: listPets
  }),
  { ...order, storage: "memory", connections: CONNECTIONS },
  { ...order, storage: "file", connections: 64 },
  { ...order, storage: "file", connections: 1 }
]

/** A work of the pet store's alone: none of the peers has it. */
export const FIND_PET: Work = {
  name: "GET /pets?id={petId}",
  storage: "file",
  connections: CONNECTIONS,
  expected: 200,
  requests: findPet
}
