/** The service on Hono, served by @hono/node-server. */
import { createServer } from "node:http"
import { serve } from "@hono/node-server"
import { honoApp } from "./honoApp.js"
import type { Peer } from "./Peer.js"
import { openShop } from "./shop/openShop.js"
import { portOf } from "./shop/portOf.js"

export const hono: Peer = async (storage) => {
  const shop = openShop(storage)
  const { app, key } = honoApp(shop)
  const server = await new Promise<ReturnType<typeof createServer>>((listening) => {
    const made = serve({ fetch: app.fetch, createServer, hostname: "127.0.0.1", port: 0 }, () =>
      listening(made as ReturnType<typeof createServer>)
    )
  })
  return {
    port: portOf(server),
    key,
    close: async () => {
      server.closeAllConnections()
      server.close()
      shop.close()
    }
  }
}
