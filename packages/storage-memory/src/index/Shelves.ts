/**
 * Which shelf a combination of values has. Kept in pieces, so that of two directories that share them the one that changes something
 * copies a piece of a hundred shelves or so, not all there are.
 */
import type { Few } from "./few.js"
import { Lists } from "./Lists.js"
import type { Owner } from "../Owner.js"
import type { Prefix } from "./Prefix.js"

/** What is there under one combination of values. */
export type Shelf = Few | Lists

type Piece = { readonly owner: Owner; readonly shelves: Map<Prefix, Shelf> }

/** With more than so many to a piece there are made four times as many pieces. */
const PER_PIECE = 128

export class Shelves {
  readonly #owner: Owner
  /** Their number is a power of two. */
  #pieces: Array<Piece>
  #size: number

  private constructor(owner: Owner, pieces: Array<Piece>, size: number) {
    this.#owner = owner
    this.#pieces = pieces
    this.#size = size
  }

  static empty(owner: Owner): Shelves {
    return new Shelves(owner, [{ owner, shelves: new Map() }], 0)
  }

  /** The same shelves for an owner that changes them apart. */
  ownedBy(owner: Owner): Shelves {
    return new Shelves(owner, this.#pieces.slice(), this.#size)
  }

  /** To be looked at only. */
  get(prefix: Prefix): Shelf | undefined {
    return this.#pieces[placeOf(prefix, this.#pieces.length)]?.shelves.get(prefix)
  }

  /** To be changed. */
  own(prefix: Prefix): Shelf | undefined {
    return this.#own(prefix).get(prefix)
  }

  set(prefix: Prefix, shelf: Shelf): void {
    const shelves = this.#own(prefix)
    const before = shelves.size
    shelves.set(prefix, shelf)
    this.#size += shelves.size - before
    if (this.#size > this.#pieces.length * PER_PIECE) this.#spread()
  }

  delete(prefix: Prefix): void {
    if (this.#own(prefix).delete(prefix)) this.#size--
  }

  #own(prefix: Prefix): Map<Prefix, Shelf> {
    const place = placeOf(prefix, this.#pieces.length)
    const piece = this.#pieces[place]
    if (piece?.owner === this.#owner) return piece.shelves
    const shelves = new Map<Prefix, Shelf>()
    for (const [each, shelf] of piece?.shelves ?? []) shelves.set(each, copied(shelf))
    this.#pieces[place] = { owner: this.#owner, shelves }
    return shelves
  }

  #spread(): void {
    const count = this.#pieces.length * 4
    const owner = this.#owner
    const pieces = Array.from({ length: count }, (): Piece => ({ owner, shelves: new Map() }))
    for (const piece of this.#pieces) {
      for (const [prefix, shelf] of piece.shelves) {
        pieces[placeOf(prefix, count)]?.shelves.set(prefix, piece.owner === owner ? shelf : copied(shelf))
      }
    }
    this.#pieces = pieces
  }
}

const copied = (shelf: Shelf): Shelf => (shelf instanceof Lists ? shelf.copy() : shelf)

/** So many characters at the end of a text tell it from others well enough. */
const LOOKED_AT = 8

/** So many numbers in a row share a piece: ids are counted up, and what is written next is then where something was written just now. */
const NEIGHBOURS = 128

/** Spreads texts that differ little. */
const SPREADING = 0x9e3779b1

const placeOf = (prefix: Prefix, count: number): number => {
  if (count === 1) return 0
  if (typeof prefix === "number") return Math.floor(prefix / NEIGHBOURS) & (count - 1)
  let mixed = 0
  if (typeof prefix === "string") {
    for (let at = Math.max(0, prefix.length - LOOKED_AT); at < prefix.length; at++)
      mixed = Math.imul(mixed, 31) + prefix.charCodeAt(at)
  }
  const spread = Math.imul(mixed, SPREADING)
  return (spread ^ (spread >>> 15)) & (count - 1)
}
