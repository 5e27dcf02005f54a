/**
 * What every shop is filled with before it is measured: a thousand pets of one category, two of
 * three for sale.
 */
import type { NewPet } from "./Shop.js"

export const PETS = 1_000

/** How many of each pet that is for sale there are: more than any run orders. */
export const STOCK = 2 ** 31 - 1

/** In the order of their ids, from 1. */
export const seeds = (): ReadonlyArray<Required<NewPet>> =>
  Array.from({ length: PETS }, (_, nth) => ({
    name: `Pet ${nth}`,
    categoryId: 1,
    status: nth % 3 === 2 ? "sold" : "available"
  }))

/** Ids of pets that are for sale: any number, but for those that leave 0 divided by 3. */
export const forSale = (nth: number): number => 1 + 3 * (nth % Math.floor(PETS / 3))
