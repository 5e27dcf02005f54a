/** Short messages for the contract's own schemas, however deeply a value is nested. */
import { echo } from "@petstore/core/adapter"
import * as Schema from "effect/Schema"

type ParseIssue = { readonly actual: unknown }

const sentence = (expected: string, actual: unknown): string =>
  `Expected ${expected}, actual ${echo(actual)}`

/** For a schema with members. Effect's own message would render the whole value. */
export const brief = (expected: string) => ({
  message: ({ actual }: ParseIssue) => sentence(expected, actual)
})

/** For a single value, also in a union. */
export const briefValue = (expected: string) => ({
  message: ({ actual }: ParseIssue) => ({ message: sentence(expected, actual), override: true })
})

export const Text = Schema.String.annotations(briefValue("a text"))

/** A list of records. */
export const listOf = <A, I, R>(record: Schema.Schema<A, I, R>) =>
  Schema.Array(record).annotations(brief("a list"))
