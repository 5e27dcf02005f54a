/** The header fields about the stability and the deprecation of an operation, made once. */
import type { LifecyclePlan } from "../contract/Lifecycle.js"
import type { StabilityLevel } from "../contract/Stability.js"

export type Notices = {
  /** Alternating names and values. */
  readonly headers: ReadonlyArray<string>
  /** Members of the Link field for this path parameter; empty without a deprecation. */
  readonly links: (id: number | undefined) => string
}

const NO_LINKS = () => ""

/** `Deprecation` (RFC 9745 §2.1), `Sunset` (RFC 8594 §3, an IMF-fixdate) and `X-Stability`. */
export const noticesOf = (
  basePath: string,
  stability: StabilityLevel,
  lifecycle: LifecyclePlan | undefined
): Notices => {
  const stabilityFields = stability === "stable" ? [] : ["X-Stability", stability]
  if (lifecycle === undefined) return { headers: stabilityFields, links: NO_LINKS }
  const { deprecatedMs, sunsetMs, successor, docs } = lifecycle
  if (sunsetMs < deprecatedMs) throw new Error("an operation's sunset lies before its deprecation")
  const [before = "", after] = successor.split(/\{[^}]*\}/)
  const page = `<${basePath}${docs}>`
  const rest =
    `; rel="successor-version", ${page}; rel="deprecation"; type="text/html", ` +
    `${page}; rel="sunset"; type="text/html"`
  const [whole = ""] = before.split("?")
  return {
    headers: [
      ...stabilityFields,
      "Deprecation",
      `@${Math.floor(deprecatedMs / 1_000)}`,
      "Sunset",
      new Date(sunsetMs).toUTCString()
    ],
    links: (id) =>
      after === undefined || id === undefined
        ? `<${basePath}${after === undefined ? before : whole}>${rest}`
        : `<${basePath}${before}${id}${after}>${rest}`
  }
}
