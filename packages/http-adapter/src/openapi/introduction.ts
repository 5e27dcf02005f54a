/** The introduction of the description. */
import type { SecurityScheme } from "./Document.js"

export const DESCRIPTION = [
  "The records of a pet store, such as pets and the orders for them.",
  "**Keys.** Send your key as `X-API-Key` or as `Authorization: Bearer <key>`. Two different " +
    "keys are refused.",
  "**Limits.** Every response has the remaining requests of the minute or the day. Beyond a " +
    "limit the response is 429; wait exactly `Retry-After` seconds. Repeated calls before that " +
    "lead to a ban.",
  "**Errors.** Every error is `{code, message, status}`; switch on `code`. Every response has " +
    "an `X-Request-Id`: yours, if you send one of 1 to 128 of `A–Z a–z 0–9 . _ -`.",
  "**Lists.** A list returns one page; the `next` link in `Link` is the next one. " +
    "Unknown parameters are refused.",
  "**Changes.** Records have an `ETag`. Send it as `If-Match` to change only the state that you " +
    "have read, and as `If-None-Match` to get only a newer state (else 304).",
  "**Versions.** This is version 1; `X-API-Version` may request it. Operations that will be " +
    "removed have `Deprecation` and `Sunset`, those that may still change `X-Stability`."
].join("\n\n")

/**
 * Operations name `ApiKey` alone, the document both: a program that fills in every scheme of an
 * operation would send two keys, which is refused.
 */
export const SECURITY_SCHEMES: Readonly<Record<string, SecurityScheme>> = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "The key."
  },
  Bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The same key, for programs that send bearer tokens only. Works with every operation, " +
      "instead of `ApiKey`."
  }
}
