/** `petstore openapi`: prints the description of the service. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { lazy } from "../terminal/lazy.js"

const basePath = Options.text("base-path").pipe(
  Options.withPseudoName("PATH"),
  Options.withDescription("The prefix of all paths, as for petstore serve"),
  Options.withDefault("")
)

export const openapiCommand = Command.make(
  "openapi",
  { basePath },
  lazy(async () => (await import("./run.js")).printDescription)
).pipe(
  Command.withDescription(
    "Prints the OpenAPI 3.0.3 description of the service, which a server has at /openapi.json."
  )
)
