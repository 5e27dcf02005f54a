/**
 * A short excerpt of a receiver's response, safe to store and to show: one line without anything
 * that could be a secret.
 */

const MAX_LENGTH = 200

/**
 * Texts that could be our secrets, in case a receiver repeats them: secrets of webhooks, signatures
 * and API keys.
 */
const SECRETS = /(?:whsec_|whsk_|v1a?,|ps_|bearer\s+)[A-Za-z0-9+/=_-]{8,}/gi

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

export const excerptOf = (text: string): string => {
  const line = text.toWellFormed().replace(SECRETS, "[…]").replace(CONTROLS, " ").trim()
  const points = Array.from(line)
  return points.length <= MAX_LENGTH ? line : `${points.slice(0, MAX_LENGTH - 1).join("")}…`
}
