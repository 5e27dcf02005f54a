/** A shop in Maps, with the ids of each status in order, so that a page is found without a scan. */
import { seeds, STOCK } from "./seeds.js"
import type { NewPet, Order, Pet, PetStatus, Shop } from "./Shop.js"

/** Where the first id that is greater stands. */
const placeAfter = (ids: ReadonlyArray<number>, id: number): number => {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] ?? 0) <= id) low = middle + 1
    else high = middle
  }
  return low
}

export const mapShop = (): Shop => {
  const categories = new Set([1])
  const pets = new Map<number, Pet>()
  const stock = new Map<number, number>()
  const orders = new Map<number, Order>()
  const byStatus: Readonly<Record<PetStatus, Array<number>>> = {
    available: [],
    pending: [],
    sold: []
  }

  const addPet = ({ name, categoryId, status = "available" }: NewPet): Pet | undefined => {
    if (!categories.has(categoryId)) return undefined
    const pet = { id: pets.size + 1, name, categoryId, status }
    pets.set(pet.id, pet)
    byStatus[status].push(pet.id)
    return pet
  }

  const move = (pet: Pet, status: PetStatus): void => {
    byStatus[pet.status].splice(placeAfter(byStatus[pet.status], pet.id) - 1, 1)
    byStatus[status].splice(placeAfter(byStatus[status], pet.id), 0, pet.id)
    pets.set(pet.id, { ...pet, status })
  }

  for (const pet of seeds()) {
    const added = addPet(pet)
    if (added?.status === "available") stock.set(added.id, STOCK)
  }

  return {
    pet: (id) => pets.get(id),
    pets: (status, afterId, limit) => {
      const ids = byStatus[status]
      const first = placeAfter(ids, afterId)
      return ids.slice(first, first + limit).flatMap((id) => pets.get(id) ?? [])
    },
    addPet,
    order: (asked) => {
      const { petId, quantity = 1, shipDate, complete = false } = asked
      const pet = pets.get(petId)
      if (pet === undefined) return "unknown_pet"
      const left = (stock.get(petId) ?? 0) - quantity
      if (left < 0) return "insufficient_stock"
      stock.set(petId, left)
      if (left === 0) move(pet, complete ? "sold" : "pending")
      const order = {
        id: orders.size + 1,
        petId,
        quantity,
        ...(shipDate === undefined ? {} : { shipDate }),
        complete
      }
      orders.set(order.id, order)
      return order
    },
    close: () => {}
  }
}
