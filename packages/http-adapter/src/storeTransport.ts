/** A client transport to a store in this process, with the same checks and limits as over HTTP. */
import { swaggerPage } from "./docs/swaggerPage.js"
import type { Incoming, OnBody } from "./exchange/Incoming.js"
import { makeService, type ServedStore } from "./serve/makeService.js"
import type { ServiceOptions } from "./exchange/Options.js"
import { streamBody } from "./web/streamBody.js"
import { chunksOf } from "./client/fetchTransport.js"
import type { ClientAnswer, ClientCall, Transport } from "./client/Transport.js"

const NEVER = new AbortController().signal

const encoder = new TextEncoder()

const incomingOf = ({ method, target, headers, body }: ClientCall, address: string): Incoming => ({
  method,
  target,
  address,
  hasBody: body !== undefined && body !== "",
  declaredBytes: body === undefined ? undefined : encoder.encode(body).byteLength,
  fault: undefined,
  account: () => undefined,
  header: (name) => headers[name],
  values: (name) => {
    const value = headers[name]
    return value === undefined ? [] : [value]
  },
  readBody: (_maxBytes, onBody: OnBody) => onBody(body ?? "")
})

/** Calls the service of this store. Callers without a key are counted by `address`. */
export const storeTransport = (
  store: ServedStore,
  options: ServiceOptions & { readonly address?: string } = {}
): Transport => {
  const service = makeService(store, swaggerPage, options)
  const { basePath = "", address = "in process" } = options
  return (call) =>
    new Promise<ClientAnswer>((resolve) => {
      const incoming = incomingOf({ ...call, target: `${basePath}${call.target}` }, address)
      service(incoming, ({ status, headers, body, stream }) => {
        const fields = new Map<string, string>()
        for (let at = 0; at + 1 < headers.length; at += 2)
          fields.set((headers[at] ?? "").toLowerCase(), headers[at + 1] ?? "")
        const header = (name: string) => fields.get(name) ?? null
        if (stream === undefined) return resolve({ status, header, text: body ?? "" })
        const { signal = NEVER } = call
        resolve({
          status,
          header,
          text: "",
          chunks: chunksOf(streamBody(stream, signal, () => undefined))
        })
      })
    })
}
