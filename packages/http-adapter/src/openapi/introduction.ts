/** The introduction of the description. */
import type { SecurityScheme } from "./Document.js"

export const DESCRIPTION = [
  "Pets, their categories, orders for them, and their stock.",
  "**Keys.** Send your key as `X-API-Key`. `Authorization: Bearer <key>` does as well; two " +
    "different keys are refused.",
  "**Limits.** Every answer says what is left of the limits of the minute and the day. Past " +
    "them the answer is 429, and waiting for exactly `Retry-After` seconds is enough; calling " +
    "on and on before that leads to a ban.",
  "**Errors.** Every error is `{code, message, status}`; switch on `code`. Every answer has " +
    "an `X-Request-Id`: yours, if you send one of 1 to 128 of `A–Z a–z 0–9 . _ -`.",
  "**Lists.** A list answers one page; the `next` link in `Link` leads to the next one. " +
    "Unknown parameters are refused.",
  "**Changes.** Records have an `ETag`; send it as `If-Match` to change only what you have " +
    "seen, and as `If-None-Match` to get only what is new to you (else 304).",
  "**Versions.** This is version 1; `X-API-Version` may ask for it. Operations that will go " +
    "say so in `Deprecation` and `Sunset`, those that may still change in `X-Stability`."
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
    description: "The key, as it was issued."
  },
  Bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The same key, for programs that send bearer tokens only. Works with every operation, " +
      "instead of `ApiKey`."
  }
}
