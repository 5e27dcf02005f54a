/** The handler for web requests where size counts, as in workers: without Swagger UI. */
import { linkPage } from "../docs/linkPage.js"
import type { ServedStore } from "../serve/makeService.js"
import { makeWebHandler, type WebHandler, type WebHandlerOptions } from "./makeWebHandler.js"

/**
 * The store as a function from a `Request` to a `Response`, for workers and other programs that are
 * bundled. The same as that of the main entry, but for `/docs`, which is a page with a link to
 * `/openapi.json`: Swagger UI has 1.4 MB.
 *
 * @example
 * const handler = toWebHandler(store)
 * const worker = { fetch: (request: Request) => handler(request) }
 */
export const toWorkerHandler = (store: ServedStore, options: WebHandlerOptions = {}): WebHandler =>
  makeWebHandler(store, linkPage, options)
