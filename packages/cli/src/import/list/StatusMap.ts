/**
 * Maps the values of the status column to statuses: `Adoption=sold,Died=sold`. Without a map the
 * values are the statuses themselves.
 */
import { PET_STATUSES, type PetStatus } from "@petstore/core"
import * as Either from "effect/Either"

export type StatusMap = ReadonlyMap<string, PetStatus>

/** For a list that already uses the three statuses. */
export const OWN_NAMES: StatusMap = new Map(PET_STATUSES.map((status) => [status, status]))

const isStatus = (text: string): text is PetStatus => PET_STATUSES.some((status) => status === text)

/**
 * Parses `VALUE=STATUS`. The last `=` separates them, so the value may have one. White space around
 * both is removed.
 */
const parsePair = (text: string): Either.Either<readonly [string, PetStatus], string> => {
  const at = text.lastIndexOf("=")
  if (at < 0) return Either.left(`expected VALUE=STATUS, got '${text.trim()}'`)
  const value = text.slice(0, at).trim()
  const status = text.slice(at + 1).trim()
  return isStatus(status)
    ? Either.right([value, status])
    : Either.left(`'${value}' can become ${PET_STATUSES.join(", ")}, not '${status}'`)
}

const parseObject = (
  text: string
): Either.Either<ReadonlyArray<readonly [string, PetStatus]>, string> => {
  const wrong = 'expected a JSON object such as {"Adoption":"sold"}'
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== "object" || parsed === null) return Either.left(wrong)
    return Either.all(
      Object.entries(parsed).map(([value, status]) => parsePair(`${value}=${String(status)}`))
    )
  } catch {
    return Either.left(wrong)
  }
}

/**
 * Parses the values of the option. `=available` is for an empty status. A JSON object can have
 * values with a comma. A value with two different statuses is refused.
 */
export const parseStatusMap = (texts: ReadonlyArray<string>): Either.Either<StatusMap, string> =>
  Either.gen(function* () {
    const map = new Map<string, PetStatus>()
    for (const text of texts) {
      const pairs = text.trimStart().startsWith("{")
        ? yield* parseObject(text)
        : yield* Either.all(text.split(",").map(parsePair))
      for (const [value, status] of pairs) {
        const before = map.get(value)
        if (before !== undefined && before !== status) {
          return yield* Either.left(`'${value}' is mapped to ${before} and to ${status}`)
        }
        map.set(value, status)
      }
    }
    return map
  })
