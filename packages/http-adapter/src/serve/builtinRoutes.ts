/** Routes beside the API: health, metrics, the description and its page. They need no key. */
import { andThen, type MaybePromise, orElse } from "@petstore/core/adapter"
import type { DocsPage } from "../docs/DocsPage.js"
import type { Answer, Incoming, Reply } from "../exchange/Incoming.js"
import type { Settings } from "../exchange/Options.js"
import { errorText } from "../exchange/refuse.js"
import { JSON_TYPE } from "../exchange/respond.js"
import { type StaticFile, staticAnswer, staticFile } from "../exchange/StaticFile.js"

/** They are served with and without the base path. */
type BuiltinRoutes = {
  /** The path without the base path, if it is one of these routes. */
  readonly find: (path: string) => string | undefined
  readonly answer: (local: string, incoming: Incoming, reply: Reply) => void
}

const ALLOW = ["Allow", "GET, HEAD, OPTIONS"]

const failure = (
  code: "method_not_allowed" | "internal",
  message: string,
  incoming: Incoming,
  headers: ReadonlyArray<string> = []
): Answer => {
  const { body, type } = errorText(code, message, incoming.header("accept"))
  const status = code === "internal" ? 500 : 405
  return { status, headers: ["Content-Type", type, "Cache-Control", "no-store", ...headers], body }
}

/** Redirects to `/docs`: the page names its files relative to the path without a slash. */
const PAGE_WITH_SLASH = "/docs/"

/** Without `metricsText` there is no `/metrics`. */
export const makeBuiltinRoutes = (
  settings: Settings,
  page: DocsPage,
  metricsText: (() => MaybePromise<string>) | undefined
): BuiltinRoutes => {
  const { basePath, onError } = settings

  // Loaded on demand: the texts are larger than the rest of the service.
  const description = async (): Promise<StaticFile> => {
    const { openApiDocument, openApiText } = await import("../openapi/openApiDocument.js")
    return staticFile(JSON_TYPE, openApiText(openApiDocument(settings)))
  }

  const files: DocsPage = { ...page, "/openapi.json": description }
  const loaded = new Map<string, Promise<StaticFile>>()

  const fail = (cause: unknown, message: string, incoming: Incoming, reply: Reply): void => {
    onError(cause, { requestId: "", operation: undefined })
    reply(failure("internal", message, incoming))
  }

  const answerFile = (path: string, incoming: Incoming, reply: Reply): void => {
    const file = loaded.get(path) ?? files[path]?.() ?? Promise.reject(new Error(`no file ${path}`))
    loaded.set(path, file)
    file
      .then((ready) => reply(staticAnswer(ready, incoming)))
      .catch((cause: unknown) => {
        loaded.delete(path)
        fail(cause, "this file can't be had", incoming, reply)
      })
  }

  const answerMetrics = (incoming: Incoming, reply: Reply): void => {
    void orElse(
      () => andThen(metricsText?.() ?? "", (text) => reply(metricsAnswer(text))),
      (cause) => fail(cause, "the metrics can't be had", incoming, reply)
    )
  }

  const find = (path: string): string | undefined => {
    const local = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
    return isHealth(local) ||
      local === PAGE_WITH_SLASH ||
      Object.hasOwn(files, local) ||
      (local === "/metrics" && metricsText !== undefined)
      ? local
      : undefined
  }

  const answer: BuiltinRoutes["answer"] = (local, incoming, reply) => {
    const { method } = incoming
    if (method === "OPTIONS") reply({ status: 204, headers: [...ALLOW], body: null })
    else if (method !== "GET" && method !== "HEAD") {
      const message = "this path has no such method: expected one of GET, HEAD, OPTIONS"
      reply(failure("method_not_allowed", message, incoming, ALLOW))
    } else if (local === PAGE_WITH_SLASH)
      reply({ status: 308, headers: ["Location", "../docs"], body: "" })
    else if (isHealth(local)) reply(healthAnswer(local === "/health/live" || settings.isReady()))
    else if (local === "/metrics") answerMetrics(incoming, reply)
    else answerFile(local, incoming, reply)
  }

  return { find, answer }
}

const isHealth = (path: string): boolean => path === "/health/live" || path === "/health/ready"

const healthAnswer = (isHealthy: boolean): Answer => ({
  status: isHealthy ? 200 : 503,
  headers: ["Content-Type", JSON_TYPE, "Cache-Control", "no-store"],
  body: `{"status":"${isHealthy ? "ok" : "not ready"}"}`
})

const metricsAnswer = (body: string): Answer => ({
  status: 200,
  headers: [
    "Content-Type",
    "text/plain; version=0.0.4; charset=utf-8",
    "Cache-Control",
    "no-store"
  ],
  body
})
