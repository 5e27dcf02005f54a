/** What is outside the API, with or without the base path: no key, no limits. Files are made when first asked for, and kept. */
import type { MaybePromise } from "@petstore/core"
import { healthAnswer } from "./health.js"
import type { Answer, Incoming, Reply } from "./Incoming.js"
import type { Settings } from "./Options.js"
import { errorText } from "./refuse.js"
import { JSON_TYPE } from "./respond.js"
import { type StaticFile, staticAnswer, staticFile } from "./StaticFile.js"

/** What answers outside the API, by paths without the base path. */
export type Outside = {
  /** The path without the base path, if it is outside the API. */
  readonly finds: (path: string) => string | undefined
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

/** The page names its files relative to itself, so it is had without a slash at its end only. */
const PAGE_WITH_SLASH = "/docs/"

/** `metricsText` is what `/metrics` says; undefined where there is no such path. */
export const makeOutside = (
  settings: Settings,
  metricsText: (() => MaybePromise<string>) | undefined
): Outside => {
  const { basePath, onError } = settings

  // Loaded when first asked for: all its texts are in it, and the page is larger than the whole service.
  const description = async (): Promise<StaticFile> => {
    const { openApiDocument, openApiText } = await import("../openapi/openApiDocument.js")
    return staticFile(JSON_TYPE, openApiText(openApiDocument(settings)))
  }

  const page = (name: string) => async (): Promise<StaticFile> => {
    const { docsFile } = await import("../docs/docsFile.js")
    return docsFile(name)
  }

  const files: Readonly<Record<string, () => Promise<StaticFile>>> = {
    "/openapi.json": description,
    "/docs": page("page.html"),
    "/docs/page.js": page("page.js"),
    "/docs/swagger-ui.js": page("swagger-ui.js"),
    "/docs/swagger-ui.css": page("swagger-ui.css")
  }
  const made = new Map<string, Promise<StaticFile>>()

  const answerFile = (path: string, incoming: Incoming, reply: Reply): void => {
    const fail = (cause: unknown) => {
      made.delete(path)
      onError(cause, { requestId: "", operation: undefined })
      reply(failure("internal", "this file can't be had", incoming))
    }
    const file = made.get(path) ?? files[path]?.() ?? Promise.reject(new Error(`no file ${path}`))
    made.set(path, file)
    file.then((ready) => reply(staticAnswer(ready, incoming))).catch(fail)
  }

  const answerMetrics = (incoming: Incoming, reply: Reply): void => {
    const fail = (cause: unknown) => {
      onError(cause, { requestId: "", operation: undefined })
      reply(failure("internal", "the metrics can't be had", incoming))
    }
    try {
      const text = metricsText?.() ?? ""
      if (text instanceof Promise) text.then((gathered) => reply(metricsAnswer(gathered))).catch(fail)
      else reply(metricsAnswer(text))
    } catch (cause) {
      fail(cause)
    }
  }

  const finds = (path: string): string | undefined => {
    const local = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
    return isHealth(local) ||
      local === PAGE_WITH_SLASH ||
      Object.hasOwn(files, local) ||
      (local === "/metrics" && metricsText !== undefined)
      ? local
      : undefined
  }

  const answer: Outside["answer"] = (local, incoming, reply) => {
    const { method } = incoming
    if (method === "OPTIONS") reply({ status: 204, headers: [...ALLOW], body: null })
    else if (method !== "GET" && method !== "HEAD") {
      reply(
        failure(
          "method_not_allowed",
          "this path has no such method: expected one of GET, HEAD, OPTIONS",
          incoming,
          ALLOW
        )
      )
    } else if (local === PAGE_WITH_SLASH) reply({ status: 308, headers: ["Location", "../docs"], body: "" })
    else if (isHealth(local)) reply(healthAnswer(local, settings))
    else if (local === "/metrics") answerMetrics(incoming, reply)
    else answerFile(local, incoming, reply)
  }

  return { finds, answer }
}

const isHealth = (path: string): path is "/health/live" | "/health/ready" =>
  path === "/health/live" || path === "/health/ready"

const metricsAnswer = (body: string): Answer => ({
  status: 200,
  headers: ["Content-Type", "text/plain; version=0.0.4; charset=utf-8", "Cache-Control", "no-store"],
  body
})
