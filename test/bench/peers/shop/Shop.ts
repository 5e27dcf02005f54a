/**
 * The records of a hand-written pet store, and what its services ask of them: answered at once, in
 * memory or from a file.
 */

export const STATUSES = ["available", "pending", "sold"] as const
export type PetStatus = (typeof STATUSES)[number]

export type NewPet = {
  readonly name: string
  readonly categoryId: number
  readonly status?: PetStatus
}
export type Pet = {
  readonly id: number
  readonly name: string
  readonly categoryId: number
  readonly status: PetStatus
}

export type NewOrder = {
  readonly petId: number
  readonly quantity?: number
  readonly shipDate?: string
  readonly complete?: boolean
}
export type Order = NewOrder & {
  readonly id: number
  readonly quantity: number
  readonly complete: boolean
}

export type Shop = {
  readonly pet: (id: number) => Pet | undefined
  /** At most so many pets of a status with a greater id, in the order of ids. */
  readonly pets: (status: PetStatus, afterId: number, limit: number) => ReadonlyArray<Pet>
  /** Undefined where there is no such category. */
  readonly addPet: (asked: NewPet) => Pet | undefined
  /** Takes the units from stock in the same step, or says why not. */
  readonly order: (asked: NewOrder) => Order | "unknown_pet" | "insufficient_stock"
  readonly close: () => void
}
