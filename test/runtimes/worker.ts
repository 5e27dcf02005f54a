/** The smoke program as a worker: answers every request with the lines of its claims. */
import { check } from "./Claim.js"
import { handler, inProcess } from "./handler.js"
import { library } from "./library.js"

export default {
  fetch: async (): Promise<Response> => {
    const lines = await check([...library, ...handler("in process", inProcess)])
    return new Response(lines.join("\n"))
  }
}
