/** Servers of `Request` and `Response`, for the store's web handler and for Hono. */
import { serve } from "@hono/node-server"
import { toWebHandler } from "@petstore/http-adapter"
import { MemoryStorage } from "@petstore/storage-memory"
import type { Target } from "../http/works.js"
import { filledStore } from "../peers/filledStore.js"
import { honoApp } from "../peers/honoApp.js"
import { mapShop } from "../peers/shop/mapShop.js"
import type { Side } from "./hosts.js"

type Fetch = (request: Request) => Response | Promise<Response>

type Listen = (fetch: Fetch) => number | Promise<number>

declare const Bun: {
  readonly serve: (options: {
    readonly hostname: string
    readonly port: number
    readonly fetch: Fetch
  }) => { readonly port: number }
}

declare const Deno: {
  readonly serve: (
    options: { readonly hostname: string; readonly port: number; readonly onListen: () => void },
    handler: Fetch
  ) => { readonly addr: { readonly port: number } }
}

const hostname = "127.0.0.1"

const mountedIn =
  (listen: Listen) =>
  async (side: Side): Promise<Target> => {
    if (side === "hand") {
      const { app, key } = honoApp(mapShop())
      return { port: await listen((request) => app.fetch(request)), key }
    }
    const { store, key } = await filledStore(MemoryStorage.layer)
    // Without counters for Prometheus, as the service by hand has none.
    return { port: await listen(toWebHandler(store, { metrics: false })), key }
  }

export const nodeServer = mountedIn(
  (fetch) =>
    new Promise((resolve) => {
      serve({ fetch, hostname, port: 0 }, ({ port }) => resolve(port))
    })
)

export const bun = mountedIn((fetch) => Bun.serve({ hostname, port: 0, fetch }).port)

export const deno = mountedIn(
  (fetch) => Deno.serve({ hostname, port: 0, onListen: () => undefined }, fetch).addr.port
)
