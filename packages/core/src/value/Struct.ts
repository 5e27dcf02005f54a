/** The description of a record: its fields in their order, and the values that each takes. */
import type { ValueOf, Field, EncodedOf } from "./Field.js"

/** A field that may be absent. */
export type OptionalField<F> = { readonly of: "optional"; readonly field: F }

export type Fields = { readonly [name: string]: Field | OptionalField<Field> }

export type Struct<M extends Fields> = {
  /** The name of the record in OpenAPI and in schemas. */
  readonly identifier: string
  readonly fields: M
}

type FieldOf<Member> = Member extends OptionalField<infer F> ? F : Member

/** Maps each field by itself, so that an editor shows a record and not how its type was made. */
type Plainly<R> = { readonly [Name in keyof R]: R[Name] }

/**
 * The record as the store has it. Record types are exported as interfaces, which editors show by
 * name. An interface without members of its own is still assignable to a plain object type.
 */
export type RecordOf<S> =
  S extends Struct<infer M>
    ? Plainly<
        {
          [Name in keyof M as M[Name] extends OptionalField<Field> ? never : Name]: ValueOf<M[Name]>
        } & {
          [Name in keyof M as M[Name] extends OptionalField<Field> ? Name : never]?: ValueOf<
            FieldOf<M[Name]>
          >
        }
      >
    : never

/** The record as callers write it: instants are texts. */
export type InputOf<S> =
  S extends Struct<infer M>
    ? Plainly<
        {
          [Name in keyof M as M[Name] extends OptionalField<Field> ? never : Name]: EncodedOf<
            M[Name]
          >
        } & {
          [Name in keyof M as M[Name] extends OptionalField<Field> ? Name : never]?: EncodedOf<
            FieldOf<M[Name]>
          >
        }
      >
    : never

/** The record with some of its optional fields always present. */
export type Always<R, Names extends keyof R> = Plainly<R & Required<Pick<R, Names>>>

export const optional = <F extends Field>(field: F): OptionalField<F> => ({ of: "optional", field })

export const struct = <M extends Fields>(identifier: string, fields: M): Struct<M> => ({
  identifier,
  fields
})
