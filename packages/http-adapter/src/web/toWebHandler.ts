/** The handler for web requests with everything, Swagger UI included. */
import { swaggerPage } from "../docs/swaggerPage.js"
import type { ServedStore } from "../serve/makeService.js"
import { makeWebHandler, type WebHandler, type WebHandlerOptions } from "./makeWebHandler.js"

/**
 * The store as a function from a `Request` to a `Response`: for Hono, route handlers of Next, Bun,
 * Deno, and tests without a port.
 *
 * @example
 * const headers = { "x-api-key": key }
 * const answer = await toWebHandler(store)(new Request("http://shop.test/pets", { headers }))
 */
export const toWebHandler = (store: ServedStore, options: WebHandlerOptions = {}): WebHandler =>
  makeWebHandler(store, swaggerPage, options)
