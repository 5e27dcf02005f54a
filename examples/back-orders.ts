// Another ordering rule: an order for more units than there are is not refused. It reserves the
// units that are left, and waits for the rest.
import { type OrderingRules, PetStore } from "@petstore/core"
import { MemoryStorage } from "@petstore/storage-memory"
import { Either } from "effect"

/**
 * An order may reserve fewer units than it wants. It gives back, or sells, the reserved ones, so
 * the number of units stays the same.
 */
const backOrders: OrderingRules = {
  take: (_petId, stock, quantity) => {
    const held = Math.min(quantity, stock.forSale)
    return Either.right({
      stock: { ...stock, forSale: stock.forSale - held, onOrder: stock.onOrder + held },
      held
    })
  },
  giveBack: (stock, held) => ({
    ...stock,
    forSale: stock.forSale + held,
    onOrder: stock.onOrder - held
  }),
  sell: (stock, held) => ({ ...stock, onOrder: stock.onOrder - held, sold: stock.sold + held }),
  completedIsFinal: true
}

await using store = await PetStore.open({ storage: MemoryStorage.layer, ordering: backOrders })
const fish = await store.categories.create({ name: "Fish" })
const guppy = await store.pets.create({ name: "Guppy", categoryId: fish.id })
await store.inventory.set(guppy.id, { quantity: 2 })
const forSale = async () => (await store.inventory.get(guppy.id)).quantity

const order = await store.orders.place({ petId: guppy.id, quantity: 5 })
console.log(`order ${order.id} for ${order.quantity} is placed; for sale: ${await forSale()}`)
await store.orders.cancel(order.id)
console.log(`cancelled; for sale: ${await forSale()}`)
