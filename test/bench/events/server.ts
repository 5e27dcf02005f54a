/**
 * The served store of the benchmark of events, in a process of its own: obeys messages, and reports
 * its costs.
 */
import { PetStore } from "@petstore/core"
import { serve } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"

export type Told =
  | { readonly url: string; readonly key: string }
  | { readonly rssBytes: number; readonly cpuMs: number }
  | { readonly written: number }

export type Asked =
  | { readonly ask: "cost" }
  /** Changes a pet so many times, at so many a second. */
  | { readonly ask: "write"; readonly count: number; readonly perSecond: number }

const tell = (told: Told): void => void process.send?.(told)

const store = await PetStore.open({ storage: MemoryStorage.layer })
const { id } = await store.accounts.create({
  name: "bench",
  plan: "enterprise",
  perMinute: 1_000_000,
  perDay: 10_000_000
})
const { key } = await store.keys.create(id, {})
const category = await store.categories.create({ name: "Dogs" })
const pet = await store.pets.create({ name: "Rex", categoryId: category.id })
const serving = await serve(store, {
  port: 0,
  experimental: true,
  metrics: false,
  events: { maxStreamsPerAccount: 10_000, maxStreams: 10_000 }
})

/** In slices of 5 ms: what a slice missed, the next makes up for. */
const write = (count: number, perSecond: number): Promise<void> =>
  new Promise((resolve) => {
    const startMs = performance.now()
    let written = 0
    const timer = setInterval(() => {
      const due = Math.min(count, Math.ceil(((performance.now() - startMs) / 1_000) * perSecond))
      for (; written < due; written++) store.direct.pets.update(pet.id, { name: `Rex ${written}` })
      if (written < count) return
      clearInterval(timer)
      resolve()
    }, 5)
  })

process.on("message", (asked: Asked) => {
  if (asked.ask === "write") {
    void write(asked.count, asked.perSecond).then(() => tell({ written: asked.count }))
    return
  }
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  tell({ rssBytes: process.memoryUsage().rss, cpuMs: (user + system) / 1_000 })
})

process.on("disconnect", () => process.exit())

tell({ url: serving.url, key })
