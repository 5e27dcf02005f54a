/** `petstore openapi`: prints the OpenAPI description. */
import process from "node:process"
import { type DescribeOptions, openApiDocument, openApiText } from "@petstore/http-adapter"

export const printDescription = (options: DescribeOptions): void => {
  process.stdout.write(`${openApiText(openApiDocument(options), 2)}\n`)
}
