/** The page with Swagger UI, which is loaded with the first request to it: it has 1.4 MB. */
import type { StaticFile } from "../exchange/StaticFile.js"
import type { DocsPage } from "./DocsPage.js"

const load = (name: string) => async (): Promise<StaticFile> => {
  const { docsFile } = await import("./docsFile.js")
  return docsFile(name)
}

export const swaggerPage: DocsPage = {
  "/docs": load("page.html"),
  "/docs/page.js": load("page.js"),
  "/docs/swagger-ui.js": load("swagger-ui.js"),
  "/docs/swagger-ui.css": load("swagger-ui.css")
}
