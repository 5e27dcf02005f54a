/** Header fields that every peer sends, as the pet store does. */
import type { Account } from "./accounts.js"
import type { Pet, PetStatus } from "./Shop.js"

export const API_VERSION = "1.0.0"
export const FRESHNESS = "private, no-cache"

/** RateLimit-Policy of both windows. */
export const policyOf = ({ perMinute, perDay }: Account): string =>
  `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`

/** What `GET /pets/{petId}` says about its end. */
export const deprecated = (petId: number) => ({
  Deprecation: "@1796083200",
  Sunset: "Wed, 01 Dec 2027 00:00:00 GMT",
  Link:
    `</pets?id=${petId}>; rel="successor-version", </docs>; rel="deprecation"; ` +
    'type="text/html", </docs>; rel="sunset"; type="text/html"'
})

export const tagOf = ({ id }: { readonly id: number }): string => `"${id}-1"`

const cursorOf = (id: number): string => Buffer.from(JSON.stringify([id])).toString("base64url")

/** The id that a cursor goes on after; 0 without one, undefined where it is none. */
export const afterOf = (cursor: string | undefined): number | undefined => {
  if (cursor === undefined) return 0
  try {
    const [id]: [unknown] = JSON.parse(Buffer.from(cursor, "base64url").toString())
    return Number.isSafeInteger(id) ? Number(id) : undefined
  } catch {
    return undefined
  }
}

/**
 * A page of what was found by asking for one more than its limit, with the Link to it and to the
 * next. None is compressed for the load.
 */
export const pageOf = (found: ReadonlyArray<Pet>, status: PetStatus, limit: number) => {
  const pets = found.length > limit ? found.slice(0, limit) : found
  const first = `</pets?status=${status}&limit=${limit}>; rel="first"`
  const last = pets.at(-1)
  const link =
    found.length > limit && last !== undefined
      ? `${first}, </pets?status=${status}&limit=${limit}&cursor=${cursorOf(last.id)}>; rel="next"`
      : first
  return { pets, fields: { Link: link, Vary: "Accept-Encoding" } }
}
