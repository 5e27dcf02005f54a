/**
 * What every peer is to the benchmark: a service on a port of its own, filled with the same shop,
 * that takes one key.
 */

/**
 * Where a peer keeps its records: in the process, or in a SQLite file whose every commit is synced.
 */
export type Storage = "memory" | "file"

export type Served = {
  readonly port: number
  readonly key: string
  readonly close: () => Promise<void>
}

export type Peer = (storage: Storage) => Promise<Served>

/** Who serves. `bare` and `httpapi` keep their records in memory only. */
export const PEERS = {
  petstore: async () => (await import("./petstore.js")).petstore,
  bare: async () => (await import("./bare.js")).bare,
  fastify: async () => (await import("./fastify.js")).fastify,
  express: async () => (await import("./express.js")).express,
  hono: async () => (await import("./hono.js")).hono,
  httpapi: async () => (await import("./httpapi.js")).httpapi
} satisfies Readonly<Record<string, () => Promise<Peer>>>

export type PeerName = keyof typeof PEERS

export const isPeerName = (name: string | undefined): name is PeerName =>
  name !== undefined && Object.hasOwn(PEERS, name)

/** As people know them. */
export const PEER_TITLES: { readonly [Name in PeerName]: string } = {
  petstore: "Pet store",
  bare: "bare node:http",
  fastify: "Fastify",
  express: "Express",
  hono: "Hono",
  httpapi: "HttpApiBuilder"
}

/** Who can do the work over which storage. */
export const PEERS_OVER: Readonly<Record<Storage, ReadonlyArray<PeerName>>> = {
  memory: ["petstore", "bare", "fastify", "express", "hono", "httpapi"],
  file: ["petstore", "fastify", "express", "hono"]
}
