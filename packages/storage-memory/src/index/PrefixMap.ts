/**
 * The rows under each prefix of an index group. It is a map in shards of about a hundred prefixes:
 * a fork that changes something copies one shard, not all prefixes.
 */
import type { CowToken } from "../CowToken.js"
import { Indexes } from "./Indexes.js"
import type { Prefix } from "./Prefix.js"
import type { RowIds } from "./RowIds.js"

type PrefixRows = RowIds | Indexes

type Shard = { readonly token: CowToken; readonly rows: Map<Prefix, PrefixRows> }

/** With more prefixes per shard than this, the number of shards is quadrupled. */
const MAX_PER_SHARD = 128

export class PrefixMap {
  readonly #token: CowToken
  /** A power of two of them. */
  #shards: Array<Shard>
  #size: number

  private constructor(token: CowToken, shards: Array<Shard>, size: number) {
    this.#token = token
    this.#shards = shards
    this.#size = size
  }

  static empty(token: CowToken): PrefixMap {
    return new PrefixMap(token, [{ token, rows: new Map() }], 0)
  }

  /** A map with the same rows that may be changed under the token. */
  writableBy(token: CowToken): PrefixMap {
    return new PrefixMap(token, this.#shards.slice(), this.#size)
  }

  /** The rows under a prefix, for reads. */
  get(prefix: Prefix): PrefixRows | undefined {
    return this.#shards[shardOf(prefix, this.#shards.length)]?.rows.get(prefix)
  }

  /** The rows under a prefix, for changes. */
  getWritable(prefix: Prefix): PrefixRows | undefined {
    return this.#writable(prefix).get(prefix)
  }

  set(prefix: Prefix, rows: PrefixRows): void {
    const shard = this.#writable(prefix)
    const before = shard.size
    shard.set(prefix, rows)
    this.#size += shard.size - before
    if (this.#size > this.#shards.length * MAX_PER_SHARD) this.#grow()
  }

  delete(prefix: Prefix): void {
    if (this.#writable(prefix).delete(prefix)) this.#size--
  }

  #writable(prefix: Prefix): Map<Prefix, PrefixRows> {
    const number = shardOf(prefix, this.#shards.length)
    const shard = this.#shards[number]
    if (shard?.token === this.#token) return shard.rows
    const copy = new Map<Prefix, PrefixRows>()
    for (const [each, rows] of shard?.rows ?? []) copy.set(each, copyOf(rows))
    this.#shards[number] = { token: this.#token, rows: copy }
    return copy
  }

  #grow(): void {
    const count = this.#shards.length * 4
    const token = this.#token
    const shards = Array.from({ length: count }, (): Shard => ({ token, rows: new Map() }))
    for (const shard of this.#shards) {
      for (const [prefix, rows] of shard.rows) {
        const target = shards[shardOf(prefix, count)]
        target?.rows.set(prefix, shard.token === token ? rows : copyOf(rows))
      }
    }
    this.#shards = shards
  }
}

const copyOf = (rows: PrefixRows): PrefixRows => (rows instanceof Indexes ? rows.copy() : rows)

/** A string is hashed by this many of its last characters. */
const HASHED_CHARACTERS = 8

/**
 * This many consecutive numbers share a shard. Ids are counted up, so the next write is in the
 * shard of the last one.
 */
const NUMBERS_PER_SHARD = 128

/** 2^32 over the golden ratio (Knuth's multiplicative hash): spreads strings that differ little. */
const HASH_FACTOR = 0x9e3779b1

const shardOf = (prefix: Prefix, count: number): number => {
  if (count === 1) return 0
  if (typeof prefix === "number") return Math.floor(prefix / NUMBERS_PER_SHARD) & (count - 1)
  let mixed = 0
  if (typeof prefix === "string") {
    for (let at = Math.max(0, prefix.length - HASHED_CHARACTERS); at < prefix.length; at++)
      mixed = Math.imul(mixed, 31) + prefix.charCodeAt(at)
  }
  const hash = Math.imul(mixed, HASH_FACTOR)
  return (hash ^ (hash >>> 15)) & (count - 1)
}
