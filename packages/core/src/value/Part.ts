/**
 * What a member of a record can be, said once and plainly. Decoders are compiled from it (Decoder.ts); the effect/Schema
 * values by which others know the records are made from it (../schema), for those who load that.
 */

/** What every part has: the words of a refusal, after "expected". */
type Worded = { readonly expected: string }

/** A text to which `is` says yes; lengths (in code points) and pattern say the same to those who read a description. */
export type Text = Worded & {
  readonly of: "text"
  readonly is: (text: string) => boolean
  readonly minLength?: number
  readonly maxLength: number
  readonly pattern?: string
}

/** A whole number from `from` to `to`. */
export type Whole = Worded & {
  readonly of: "whole"
  readonly from: number
  readonly to: number
  readonly format: "int32" | "int64"
}

export type Flag = Worded & { readonly of: "flag" }

/** One of a few texts. */
export type OneOf<Value extends string> = Worded & {
  readonly of: "oneOf"
  readonly values: ReadonlyArray<Value>
  /** What descriptions call it. */
  readonly identifier: string
}

/** Some of a few texts: a list with at least one, and none twice. */
export type SomeOf<Value extends string> = Worded & {
  readonly of: "someOf"
  readonly values: ReadonlyArray<Value>
}

/** An RFC 3339 text on the outside, milliseconds since 1970 within, which `parse` finds in it. */
export type Moment = Worded & {
  readonly of: "moment"
  readonly parse: (text: string) => number | undefined
}

/** Whatever is given; another rule decides. */
export type Anything = Worded & { readonly of: "anything" }

/** A part that is never null itself. */
export type Solid = Text | Whole | Flag | OneOf<string> | SomeOf<string> | Moment | Anything

/** The part, or null, which takes something away where a merge patch has it. */
export type Nullable<P extends Solid> = Worded & { readonly of: "nullable"; readonly part: P }

/** The part, or what may be null of it. */
export const solidOf = (part: Part): Solid => (part.of === "nullable" ? part.part : part)

/** What a member of a record may be. */
export type Part = Solid | Nullable<Solid>

/** A value of the part as the store has it. */
export type Kept<P> =
  P extends Nullable<infer Q>
    ? Kept<Q> | null
    : P extends OneOf<infer Value>
      ? Value
      : P extends SomeOf<infer Value>
        ? ReadonlyArray<Value>
        : P extends Text
          ? string
          : P extends Whole | Moment
            ? number
            : P extends Flag
              ? boolean
              : unknown

/** A value of the part as callers write it. */
export type Written<P> = P extends Nullable<infer Q> ? Written<Q> | null : P extends Moment ? string : Kept<P>

export const text = (part: Omit<Text, "of">): Text => ({ of: "text", ...part })

export const whole = (part: Omit<Whole, "of">): Whole => ({ of: "whole", ...part })

export const flag: Flag = { of: "flag", expected: "true or false" }

export const oneOf = <const Value extends string>(
  identifier: string,
  values: ReadonlyArray<Value>
): OneOf<Value> => ({ of: "oneOf", identifier, values, expected: `one of ${values.join(", ")}` })

export const someOf = <const Value extends string>(
  values: ReadonlyArray<Value>,
  expected: string
): SomeOf<Value> => ({ of: "someOf", values, expected })

export const anything: Anything = { of: "anything", expected: "a valid value" }

export const nullable = <P extends Solid>(part: P, expected = `${part.expected}, or null`): Nullable<P> => ({
  of: "nullable",
  part,
  expected
})
