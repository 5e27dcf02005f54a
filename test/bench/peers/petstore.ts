/** The pet store in memory, served over node:http. Prints its port and a key. */
import { PetStore } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"

const store = await PetStore.open({ storage: MemoryStorage.layer })
const account = await store.accounts.create({ plan: "enterprise", perMinute: 10 ** 9, perDay: 10 ** 9 })
const { key } = await store.keys.create(account.id)
await store.categories.create({ name: "Dogs" })
for (let nth = 0; nth < 1_000; nth++) store.direct.pets.create({ name: `Pet ${nth}`, categoryId: 1 })
const { url } = await serve(store, { host: "127.0.0.1", port: 0 })
console.log(JSON.stringify({ port: Number(new URL(url).port), key }))
