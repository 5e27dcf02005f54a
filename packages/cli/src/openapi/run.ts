/** `petstore openapi`: prints the OpenAPI description. */
import process from "node:process"
import { type DescribeOptions, openApiDocument, openApiText } from "@petstore/http-adapter"
import * as Effect from "effect/Effect"

export const printDescription = (options: DescribeOptions): Effect.Effect<void> =>
  Effect.sync(() => {
    process.stdout.write(`${openApiText(openApiDocument(options), 2)}\n`)
  })
