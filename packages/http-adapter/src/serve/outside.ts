/** What is outside the API, with or without the base path: no key, no limits. Files are made when first asked for, and kept. */
import { openApiDocument, openApiText } from "../openapi/openApiDocument.js"
import { healthAnswer } from "./health.js"
import type { Answer, Incoming } from "./Incoming.js"
import type { Settings } from "./Options.js"
import { errorText } from "./refuse.js"
import { JSON_TYPE } from "./respond.js"
import { type StaticFile, staticAnswer, staticFile } from "./StaticFile.js"

/** Answers, and says that it does; or leaves it to others. */
export type Outside = (path: string, incoming: Incoming, reply: (answer: Answer) => void) => boolean

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

export const makeOutside = (settings: Settings): Outside => {
  const { basePath, onError } = settings

  const description = (): StaticFile => staticFile(JSON_TYPE, openApiText(openApiDocument(settings)))

  /** Loaded when first asked for: the page is larger than the whole service. */
  const page = (name: string) => async (): Promise<StaticFile> => {
    const { docsFile } = await import("../docs/docsFile.js")
    return docsFile(name)
  }

  const files: Readonly<Record<string, () => StaticFile | Promise<StaticFile>>> = {
    "/openapi.json": description,
    "/docs": page("page.html"),
    "/docs/page.js": page("page.js"),
    "/docs/swagger-ui.js": page("swagger-ui.js"),
    "/docs/swagger-ui.css": page("swagger-ui.css")
  }
  const made = new Map<string, StaticFile | Promise<StaticFile>>()

  const answerFile = (path: string, incoming: Incoming, reply: (answer: Answer) => void): void => {
    const fail = (cause: unknown) => {
      made.delete(path)
      onError(cause, { requestId: "", operation: undefined })
      reply(failure("internal", "this file can't be had", incoming))
    }
    try {
      const file = made.get(path) ?? files[path]?.()
      if (file === undefined) throw new Error(`no file ${path}`)
      made.set(path, file)
      if (file instanceof Promise) file.then((ready) => reply(staticAnswer(ready, incoming))).catch(fail)
      else reply(staticAnswer(file, incoming))
    } catch (cause) {
      fail(cause)
    }
  }

  return (path, incoming, reply) => {
    const local = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
    const isHealth = local === "/health/live" || local === "/health/ready"
    if (!isHealth && !Object.hasOwn(files, local)) return false
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
    } else if (isHealth) reply(healthAnswer(local, settings))
    else answerFile(local, incoming, reply)
    return true
  }
}
