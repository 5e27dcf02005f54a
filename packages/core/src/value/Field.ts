/**
 * The descriptions of the fields of a record, as plain data. Decoder.ts compiles decoders from
 * them. ../schema makes effect/Schema values from them, for programs that load that entry.
 */

/** What every field has: the text that an error message has after "expected". */
type FieldBase = { readonly expected: string }

/**
 * A text that `is` accepts. Lengths, in code points, and the pattern describe the same rule, for
 * OpenAPI.
 */
export type TextField = FieldBase & {
  readonly of: "text"
  readonly is: (text: string) => boolean
  readonly minLength?: number
  readonly maxLength: number
  readonly pattern?: string
}

/** An integer from `from` to `to`, both included. */
export type IntegerField = FieldBase & {
  readonly of: "integer"
  readonly from: number
  readonly to: number
  readonly format: "int32" | "int64"
}

type BooleanField = FieldBase & { readonly of: "boolean" }

/** One of the values. */
export type EnumerationField<Value extends string> = FieldBase & {
  readonly of: "enumeration"
  readonly values: ReadonlyArray<Value>
  /** The name of the type in OpenAPI. */
  readonly identifier: string
}

/** An array of at least one of the values, and of none twice. */
type SubsetField<Value extends string> = FieldBase & {
  readonly of: "subset"
  readonly values: ReadonlyArray<Value>
}

/** An RFC 3339 text for callers; milliseconds since 1970 in the store, as `parse` reads them. */
export type DateTimeField = FieldBase & {
  readonly of: "dateTime"
  readonly parse: (text: string) => number | undefined
}

/** Any value. Another rule validates it. */
type AnyField = FieldBase & { readonly of: "anything" }

/** A field that does not take null. */
type NonNullField =
  | TextField
  | IntegerField
  | BooleanField
  | EnumerationField<string>
  | SubsetField<string>
  | DateTimeField
  | AnyField

/** A field that also takes null. In a merge patch, null removes the value. */
type NullableField<F extends NonNullField> = FieldBase & {
  readonly of: "nullable"
  readonly field: F
}

/** The field itself, or the field inside a nullable one. */
export const nonNullOf = (field: Field): NonNullField =>
  field.of === "nullable" ? field.field : field

/** The description of one field of a record. */
export type Field = NonNullField | NullableField<NonNullField>

/** A value of the field in the store. */
export type ValueOf<F> =
  F extends NullableField<infer Q>
    ? ValueOf<Q> | null
    : F extends EnumerationField<infer Value>
      ? Value
      : F extends SubsetField<infer Value>
        ? ReadonlyArray<Value>
        : F extends TextField
          ? string
          : F extends IntegerField | DateTimeField
            ? number
            : F extends BooleanField
              ? boolean
              : unknown

/** A value of the field as callers write it. */
export type EncodedOf<F> =
  F extends NullableField<infer Q>
    ? EncodedOf<Q> | null
    : F extends DateTimeField
      ? string
      : ValueOf<F>

export const text = (field: Omit<TextField, "of">): TextField => ({ of: "text", ...field })

export const integer = (field: Omit<IntegerField, "of">): IntegerField => ({
  of: "integer",
  ...field
})

export const boolean: BooleanField = { of: "boolean", expected: "true or false" }

export const enumeration = <const Value extends string>(
  identifier: string,
  values: ReadonlyArray<Value>
): EnumerationField<Value> => ({
  of: "enumeration",
  identifier,
  values,
  expected: `one of ${values.join(", ")}`
})

export const subset = <const Value extends string>(
  values: ReadonlyArray<Value>,
  expected: string
): SubsetField<Value> => ({ of: "subset", values, expected })

export const anything: AnyField = { of: "anything", expected: "a valid value" }

export const nullable = <F extends NonNullField>(
  field: F,
  expected = `${field.expected}, or null`
): NullableField<F> => ({
  of: "nullable",
  field,
  expected
})
