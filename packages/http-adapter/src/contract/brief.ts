/** Messages of the contract's own schemas: few words, however deep a value goes that is not what it should be. */
import { echo } from "@petstore/core"
import * as Schema from "effect/Schema"

type Given = { readonly actual: unknown }

const sentence = (expected: string, actual: unknown): string => `Expected ${expected}, actual ${echo(actual)}`

/**
 * For a schema with members: says what was expected where there are none. Effect's own message goes all
 * the way down into what was given.
 */
export const brief = (expected: string) => ({ message: ({ actual }: Given) => sentence(expected, actual) })

/** For a single value, also one of several. */
export const briefValue = (expected: string) => ({
  message: ({ actual }: Given) => ({ message: sentence(expected, actual), override: true })
})

export const Text = Schema.String.annotations(briefValue("a text"))

/** A list of records. */
export const listOf = <A, I, R>(record: Schema.Schema<A, I, R>) =>
  Schema.Array(record).annotations(brief("a list"))
