/** The bounds of the records' fields in SQL, from the declarations of the record types. */
import { type Field, RECORD_TYPES, type RecordType } from "@petstore/core/adapter"
import { outOfRange, wrongValue } from "../verify/declaredChecks.js"
import { sqlName } from "../base/names.js"

type Member = RecordType["struct"]["fields"][string]

/** The field without what makes it optional or takes null: null is left to the column. */
const fieldOf = (member: Member): Field =>
  member.of === "optional" || member.of === "nullable" ? fieldOf(member.field) : member

const ofField = (collection: string, column: string, field: Field): ReadonlyArray<string> => {
  if (field.of === "integer")
    return [wrongValue(collection, column, outOfRange(column, field.from, field.to))]
  if (field.of !== "text") return []
  const length = `length(${sqlName(column)})`
  const { minLength = 0, maxLength } = field
  return [
    wrongValue(
      collection,
      column,
      `${length} NOT BETWEEN ${minLength} AND ${maxLength}`,
      `${length} || ' characters long'`
    )
  ]
}

type Bounded = {
  readonly collection: { readonly name: string; readonly columns: object }
  readonly struct: RecordType["struct"]
}

/**
 * Queries for lengths and numbers that no record can have. Fields that are stored in another form
 * than callers see have no column of their name, and are left to other checks.
 */
export const boundsSql = (types: ReadonlyArray<Bounded> = RECORD_TYPES): ReadonlyArray<string> =>
  types.flatMap(({ collection, struct }) =>
    Object.entries(struct.fields)
      .filter(([name]) => name in collection.columns)
      .flatMap(([name, member]) => ofField(collection.name, name, fieldOf(member)))
  )
