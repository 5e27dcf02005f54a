/** The smoke program on Deno: the handler under `Deno.serve`. */
import { toWebHandler } from "@petstore/http-adapter"
import { fetchTransport } from "@petstore/http-adapter/client"
import { command } from "./command.js"
import { file, underServe } from "./file.js"
import { handler, inProcess, type Serve } from "./handler.js"
import { library } from "./library.js"
import { main } from "./main.js"

/** What is used of Deno's globals. */
declare const Deno: {
  readonly serve: (
    options: {
      readonly port: number
      readonly hostname: string
      readonly onListen: () => void
    },
    handler: (request: Request) => Promise<Response>
  ) => { readonly addr: { readonly port: number }; readonly shutdown: () => Promise<void> }
}

const underDeno: Serve = async (store) => {
  const handler = toWebHandler(store)
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => undefined }
  const server = Deno.serve(options, (request) => handler(request))
  const url = `http://127.0.0.1:${server.addr.port}`
  return { url, fetch, transport: fetchTransport(url), close: () => server.shutdown() }
}

await main([
  ...library,
  ...handler("in process", inProcess),
  ...handler("under Deno.serve", underDeno),
  ...handler("under serve", underServe),
  ...file,
  ...command(["run", "--no-lock", "--allow-all"])
])
