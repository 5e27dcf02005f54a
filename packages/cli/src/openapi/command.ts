/** `petstore openapi`: prints the description of the service. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { lazy } from "../terminal/lazy.js"

const basePath = Options.text("base-path").pipe(
  Options.withPseudoName("PATH"),
  Options.withDescription("The path that goes before all others, as petstore serve is told"),
  Options.withDefault("")
)

export const openapiCommand = Command.make(
  "openapi",
  { basePath },
  lazy(async () => (await import("./run.js")).printDescription)
).pipe(
  Command.withDescription(
    "Prints the OpenAPI 3.0.3 description of the service, which a running one has at /openapi.json."
  )
)
