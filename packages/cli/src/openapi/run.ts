/** Writes the description. */
import process from "node:process"
import { type DescribeOptions, openApiDocument, openApiText } from "@petstore/http-adapter"

/** Prints it, with an end of line. */
export const printDescription = (options: DescribeOptions): void => {
  process.stdout.write(`${openApiText(openApiDocument(options), 2)}\n`)
}
