/** Pets that may belong to rows in doubt. Each is matched with at most one row. */
import type { PetStatus } from "@petstore/core"

type Candidate = {
  readonly id: number
  readonly categoryId: number
  readonly name: string
  readonly status: PetStatus
}

export class UnmatchedPets {
  readonly #pets = new Map<string, Array<Candidate>>()

  add(pet: Candidate): void {
    const key = keyOf(pet.categoryId, pet.name)
    const alike = this.#pets.get(key)
    if (alike === undefined) this.#pets.set(key, [pet])
    else alike.push(pet)
  }

  /** Removes and returns a pet of this category and name, and of this status if one is given. */
  take(categoryId: number, name: string, status: PetStatus | undefined): Candidate | undefined {
    const alike = this.#pets.get(keyOf(categoryId, name)) ?? []
    const at = alike.findIndex((pet) => status === undefined || pet.status === status)
    return at < 0 ? undefined : alike.splice(at, 1)[0]
  }
}

const keyOf = (categoryId: number, name: string): string => JSON.stringify([categoryId, name])
