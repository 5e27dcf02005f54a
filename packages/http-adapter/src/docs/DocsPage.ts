/** What `/docs` answers: a page about the API, in files that are made on demand. */
import type { StaticFile } from "../exchange/StaticFile.js"

/** The files by their paths. `/docs` is the page itself. */
export type DocsPage = Readonly<Record<string, () => Promise<StaticFile>>>

/** Header fields of the page: no other origins, no inline scripts and no frames. */
export const securityFields = (...policies: ReadonlyArray<string>): ReadonlyArray<string> => [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    ...policies,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "Referrer-Policy",
  "no-referrer",
  "X-Frame-Options",
  "DENY"
]
