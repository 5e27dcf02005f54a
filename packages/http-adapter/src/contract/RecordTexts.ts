/**
 * Descriptions and examples of a group's records. A test checks the examples against the schemas.
 */
import * as Context from "effect/Context"

/** A record, its fields and an example. */
export type RecordText = {
  readonly description: string
  readonly example?: unknown
  readonly fields?: Readonly<Record<string, string>>
}

/** Annotation of a group: its records by their identifiers. */
export class RecordTexts extends Context.Tag("@petstore/http-adapter/RecordTexts")<
  RecordTexts,
  Readonly<Record<string, RecordText>>
>() {}

export const ASSIGNED_ID = "Assigned on creation, never reused."
