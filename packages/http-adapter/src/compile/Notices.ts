/** What an operation tells its callers about its own future, as header fields; everything that is constant is made once. */
import type { LifecyclePlan } from "../contract/Lifecycle.js"
import type { StabilityLevel } from "../contract/Stability.js"

export type Notices = {
  /** Names and values in turns. */
  readonly headers: ReadonlyArray<string>
  /** Members of the Link field, given the path parameter as decoded; empty where there is nothing to link to. */
  readonly links: (id: number | undefined) => string
}

const NO_LINKS = () => ""

/** `Deprecation` (RFC 9745 §2.1), `Sunset` (RFC 8594 §3, an IMF-fixdate), and `X-Stability` where an operation is marked. */
export const noticesOf = (
  basePath: string,
  stability: StabilityLevel,
  lifecycle: LifecyclePlan | undefined
): Notices => {
  const marked = stability === "stable" ? [] : ["X-Stability", stability]
  if (lifecycle === undefined) return { headers: marked, links: NO_LINKS }
  const { deprecatedMs, sunsetMs, successor, docs } = lifecycle
  if (sunsetMs < deprecatedMs) throw new Error("an operation's sunset lies before its deprecation")
  const [before = "", after] = successor.split(/\{[^}]*\}/)
  const rest = `; rel="successor-version", <${basePath}${docs}>; rel="deprecation"; type="text/html", <${basePath}${docs}>; rel="sunset"; type="text/html"`
  const [whole = ""] = before.split("?")
  return {
    headers: [
      ...marked,
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
