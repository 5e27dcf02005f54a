/** Pets that may have come from rows nobody knows the outcome of; each is taken for one row at most. */
import type { PetStatus } from "@petstore/core"

type Found = {
  readonly id: number
  readonly categoryId: number
  readonly name: string
  readonly status: PetStatus
}

export class Unclaimed {
  readonly #pets = new Map<string, Array<Found>>()

  add(pet: Found): void {
    const label = labelOf(pet.categoryId, pet.name)
    const alike = this.#pets.get(label)
    if (alike === undefined) this.#pets.set(label, [pet])
    else alike.push(pet)
  }

  /** The first pet of this category and name, and of this status where one is given; undefined where none is left. */
  take(categoryId: number, name: string, status: PetStatus | undefined): Found | undefined {
    const alike = this.#pets.get(labelOf(categoryId, name)) ?? []
    const at = alike.findIndex((pet) => status === undefined || pet.status === status)
    return at < 0 ? undefined : alike.splice(at, 1)[0]
  }
}

const labelOf = (categoryId: number, name: string): string => JSON.stringify([categoryId, name])
