/**
 * The declaration of a record type: its stored form, its presentation, and its names in the feed.
 */
import type { Collection, Row } from "../engine/program/Collection.js"
import type { Fields, Struct } from "../value/Struct.js"

/** The names of the changes of a kind of record. Each begins with the kind. */
export type ChangeNames<Kind extends string> = {
  readonly created: `${Kind}.${string}`
  readonly updated: `${Kind}.${string}`
  /** The name of an update that `isSpecial`. */
  readonly special?: `${Kind}.${string}`
  readonly deleted: `${Kind}.${string}`
}

/** A record type, of which every part of the engine that lists records is made. */
export type RecordType<
  Kind extends string = string,
  R extends Row = Row,
  Shown extends object = object,
  Names extends ChangeNames<Kind> = ChangeNames<Kind>
> = {
  /** What one record is called, in the feed and in the command. */
  readonly kind: Kind
  readonly collection: Collection<R>
  /** The record as callers see it. */
  readonly struct: Struct<Fields>
  present(row: R): Shown
  /** Literals, because a concatenated string would be a new one in memory for every change. */
  readonly changes: Names
  isSpecial?(before: R, after: R): boolean
}

/** Declares a record type. */
export const recordType = <
  const Kind extends string,
  R extends Row,
  Shown extends object,
  const Names extends ChangeNames<Kind>
>(
  declaration: RecordType<Kind, R, Shown, Names>
): RecordType<Kind, R, Shown, Names> => declaration
