/** The smoke program on Bun: the handler under `Bun.serve`. */
import { toWebHandler } from "@petstore/http-adapter"
import { fetchTransport } from "@petstore/http-adapter/client"
import { command } from "./command.js"
import { file, underServe } from "./file.js"
import { handler, inProcess, type Serve } from "./handler.js"
import { library } from "./library.js"
import { main } from "./main.js"

/** What is used of Bun's globals. */
declare const Bun: {
  readonly serve: (options: {
    readonly port: number
    readonly hostname: string
    readonly fetch: (request: Request) => Promise<Response>
  }) => { readonly url: URL; readonly stop: (closeActiveConnections: boolean) => Promise<void> }
}

const underBun: Serve = async (store) => {
  const handler = toWebHandler(store)
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => handler(request)
  })
  const url = server.url.origin
  return { url, fetch, transport: fetchTransport(url), close: () => server.stop(true) }
}

await main([
  ...library,
  ...handler("in process", inProcess),
  ...handler("under Bun.serve", underBun),
  ...handler("under serve", underServe),
  ...file,
  ...command([])
])
