/** A transport over any `HttpClient` of an Effect program. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import type { ClientAnswer, Transport } from "./Transport.js"

/** For calls without a body. The answer may be a stream. */
export const httpClientTransport =
  (client: HttpClient.HttpClient, runtime: Runtime.Runtime<never>, baseUrl: string): Transport =>
  ({ target, headers, signal }) => {
    const request = HttpClientRequest.setHeaders(
      HttpClientRequest.get(`${baseUrl}${target}`),
      headers
    )
    const answer = Effect.flatMap(
      client.execute(request),
      (response): Effect.Effect<ClientAnswer, unknown> => {
        const { status } = response
        const header = (name: string) => response.headers[name] ?? null
        if (header("content-type")?.startsWith("text/event-stream") !== true) {
          return Effect.map(response.text, (text) => ({ status, header, text }))
        }
        const chunks = Stream.toAsyncIterableRuntime(Stream.decodeText(response.stream), runtime)
        return Effect.succeed({ status, header, text: "", chunks })
      }
    )
    return Runtime.runPromise(runtime)(answer, signal === undefined ? {} : { signal })
  }
