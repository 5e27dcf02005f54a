/** A page without scripts that links to the description, for where Swagger UI is too large. */
import { staticFile } from "../exchange/StaticFile.js"
import { type DocsPage, securityFields } from "./DocsPage.js"

/** The URL of the description is relative, so the page is the same under every base path. */
const HTML = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Pet Store</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <h1>Pet Store</h1>
    <p>The API is described by <a href="openapi.json">openapi.json</a> (OpenAPI 3.0.3).</p>
  </body>
</html>
`

export const linkPage: DocsPage = {
  "/docs": () =>
    Promise.resolve(staticFile("text/html; charset=utf-8", HTML, securityFields("img-src data:")))
}
