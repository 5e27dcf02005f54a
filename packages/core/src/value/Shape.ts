/** The shape of a record: which members it has, in their order, and what each can be. */
import type { Kept, Part, Written } from "./Part.js"

/** A member that may be absent. */
export type Optional<P> = { readonly of: "optional"; readonly part: P }

export type Members = { readonly [name: string]: Part | Optional<Part> }

export type Shape<M extends Members> = {
  /** What descriptions call the record. */
  readonly identifier: string
  readonly members: M
}

type PartOf<Member> = Member extends Optional<infer P> ? P : Member

/** Written out member by member, so that an editor shows a record and not how it was made. */
type Plainly<R> = { readonly [Name in keyof R]: R[Name] }

/**
 * The record as the store has it. What is exported of it is an interface, which editors show by its name; without members of its own it is
 * still taken where a plain object is.
 */
export type RecordOf<S> =
  S extends Shape<infer M>
    ? Plainly<
        { [Name in keyof M as M[Name] extends Optional<Part> ? never : Name]: Kept<M[Name]> } & {
          [Name in keyof M as M[Name] extends Optional<Part> ? Name : never]?: Kept<PartOf<M[Name]>>
        }
      >
    : never

/** The record as callers write it: instants are texts. */
export type InputOf<S> =
  S extends Shape<infer M>
    ? Plainly<
        { [Name in keyof M as M[Name] extends Optional<Part> ? never : Name]: Written<M[Name]> } & {
          [Name in keyof M as M[Name] extends Optional<Part> ? Name : never]?: Written<PartOf<M[Name]>>
        }
      >
    : never

/** The record where some of its optional members are always there. */
export type Always<R, Names extends keyof R> = Plainly<R & Required<Pick<R, Names>>>

export const optional = <P extends Part>(part: P): Optional<P> => ({ of: "optional", part })

export const shape = <M extends Members>(identifier: string, members: M): Shape<M> => ({
  identifier,
  members
})
