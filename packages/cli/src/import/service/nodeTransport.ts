/**
 * The client's transport over `node:http`. `fetch` would be shorter, but it refuses some ports that
 * a store may be served on, such as 6000 and 10080.
 */
import * as http from "node:http"
import * as https from "node:https"
import type { Transport } from "@petstore/http-adapter/client"

const TIMEOUT_MS = 30_000
const MAX_ANSWER_LENGTH = 8_388_608

/** Keeps up to so many connections open, until it is closed. Redirects are not followed. */
export const nodeTransport = (url: URL, connections: number) => {
  const { Agent, request } = url.protocol === "https:" ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections })
  const base = url.origin + url.pathname.replace(/\/$/, "")
  const transport: Transport = ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const call = request(`${base}${target}`, {
        agent,
        method,
        headers: { ...headers, "user-agent": "petstore-import" },
        timeout: TIMEOUT_MS
      })
      call.on("error", reject)
      call.on("timeout", () => call.destroy(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)))
      call.on("response", (response) => {
        const { statusCode: status = 0, headers: fields } = response
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => {
          text += chunk
          if (text.length > MAX_ANSWER_LENGTH) call.destroy(new Error("the answer is too long"))
        })
        response.on("error", reject)
        response.on("end", () =>
          resolve({ status, header: (name) => fields[name]?.toString() ?? null, text })
        )
      })
      call.end(body)
    })
  return { transport, close: () => agent.destroy() }
}
