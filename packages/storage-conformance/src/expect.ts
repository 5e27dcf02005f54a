/** What checks say about what they found. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { ClaimFailed } from "./Claim.js"

/**
 * Fails unless both are the same text, number, boolean, null or undefined, or lists or records of
 * such.
 */
export const expectSame = (
  what: string,
  found: unknown,
  expected: unknown
): Effect.Effect<void, ClaimFailed> =>
  isSame(found, expected)
    ? Effect.void
    : Effect.fail(
        new ClaimFailed({ detail: `${what}: expected ${show(expected)}, found ${show(found)}` })
      )

/** Fails unless the program returns exactly this. */
export const expectAnswer = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E, R>,
  answer: A
): Effect.Effect<void, ClaimFailed, R> =>
  Effect.matchEffect(effect, {
    onSuccess: (found) => expectSame(what, found, answer),
    onFailure: (error) =>
      Effect.fail(
        new ClaimFailed({
          detail: `${what}: expected ${show(answer)}, but it failed with ${String(error)}`
        })
      )
  })

/**
 * Fails unless the effect dies: what a program must never do is a defect, not a failure and not a
 * success.
 */
export const expectDefect = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<void, ClaimFailed, R> =>
  Effect.flatMap(Effect.exit(effect), (exit) =>
    Exit.isFailure(exit) && Cause.isDie(exit.cause)
      ? Effect.void
      : Effect.fail(
          new ClaimFailed({ detail: `${what}: expected a defect, found ${exit.toString()}` })
        )
  )

/** Fails unless the program was refused, with exactly this. */
export const expectRefusal = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E, R>,
  refusal: E
): Effect.Effect<void, ClaimFailed, R> =>
  Effect.flatMap(Effect.exit(effect), (exit) =>
    expectSame(what, exit.toString(), Exit.fail(refusal).toString())
  )

const isSame = (found: unknown, expected: unknown): boolean => {
  if (Object.is(found, expected)) return true
  if (
    typeof found !== "object" ||
    typeof expected !== "object" ||
    found === null ||
    expected === null
  )
    return false
  const [ours, theirs] = [Object.entries(found), new Map(Object.entries(expected))]
  return (
    Array.isArray(found) === Array.isArray(expected) &&
    ours.length === theirs.size &&
    ours.every(([name, value]) => theirs.has(name) && isSame(value, theirs.get(name)))
  )
}

const show = (value: unknown): string => JSON.stringify(value) ?? "undefined"
