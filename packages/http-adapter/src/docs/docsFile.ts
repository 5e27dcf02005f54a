/** The page of the description: Swagger UI, from the copy in @effect/platform. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Layer from "effect/Layer"
import { type StaticFile, staticFile } from "../exchange/StaticFile.js"
import { securityFields } from "./DocsPage.js"

const HTML = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Pet Store</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`

/** The URL of the description is relative, so the page is the same under every base path. */
const PAGE_SCRIPT = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  displayOperationId: true,
  showExtensions: true,
  tryItOutEnabled: true
})
`

/** Swagger UI needs inline styles. */
const SECURITY = securityFields(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'"
)

/** The platform's page. It is the only public access to the script and the styles. */
const platformPage = async (): Promise<string> => {
  const api = HttpApi.make("docs")
  const { handler, dispose } = HttpApiBuilder.toWebHandler(
    HttpApiSwagger.layer({ path: "/docs" }).pipe(
      Layer.provideMerge(HttpApiBuilder.api(api)),
      Layer.merge(HttpServer.layerContext)
    )
  )
  const response = await handler(new Request("http://docs/docs"))
  const html = await response.text()
  await dispose()
  return html
}

const between = (html: string, start: string, end: string): string => {
  const from = html.indexOf(start)
  const to = html.indexOf(end, from)
  if (from === -1 || to === -1) throw new Error(`docs: the platform's page has no ${start}`)
  return html.slice(from + start.length, to)
}

const swaggerUi = async () => {
  const html = await platformPage()
  const script = html.slice(html.indexOf('id="swagger-spec"'))
  return {
    css: between(html, "<style>", "</style>"),
    js: between(script, "<script>", "window.onload =")
  }
}

let loading: ReturnType<typeof swaggerUi> | undefined

/** A file of the page by its name. */
export const docsFile = async (name: string): Promise<StaticFile> => {
  if (name === "page.html") return staticFile("text/html; charset=utf-8", HTML, SECURITY)
  if (name === "page.js") return staticFile("text/javascript; charset=utf-8", PAGE_SCRIPT)
  const { css, js } = await (loading ??= swaggerUi())
  return name === "swagger-ui.css"
    ? staticFile("text/css; charset=utf-8", css)
    : staticFile("text/javascript; charset=utf-8", js)
}
