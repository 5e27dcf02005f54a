/** `petstore openapi`: prints the description of the service. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"

const basePath = Options.text("base-path").pipe(
  Options.withPseudoName("PATH"),
  Options.withDescription("The path that goes before all others, as petstore serve is told"),
  Options.withDefault("")
)

export const openapiCommand = Command.make("openapi", { basePath }, (options) =>
  Effect.promise(async () => {
    const { printDescription } = await import("./run.js")
    printDescription(options)
  })
).pipe(
  Command.withDescription(
    "Prints the OpenAPI 3.0.3 description of the service, which a running one has at /openapi.json."
  )
)
