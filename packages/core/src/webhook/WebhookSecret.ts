/**
 * The secret that signs what an endpoint is sent: never stored, made anew from the host's secret
 * and the endpoint's own salt.
 */
import { hmacSha256 } from "../access/key/Hmac.js"
import { sha256, utf8 } from "../access/key/Sha256.js"

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** RFC 4648 §4. */
const base64 = (bytes: ReadonlyArray<number>): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.slice(at, at + 3)
    const bits = (first << 16) | (second << 8) | third
    for (const shift of [18, 12, 6, 0]) text += BASE64.charAt((bits >>> shift) & 63)
  }
  const missing = (3 - (bytes.length % 3)) % 3
  return text.slice(0, text.length - missing) + "=".repeat(missing)
}

const SALT_BYTES = 24

/** What makes the secrets of an endpoint its own; worth nothing without the host's secret. */
export const webhookSalt = (randomBytes: (count: number) => Uint8Array): string =>
  Array.from(randomBytes(SALT_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("")

/**
 * `whsec_` and 256 bits in base64, as Standard Webhooks has symmetric secrets. Each generation of
 * an endpoint has another one, and none tells anything of the host's secret or of each other.
 */
export const webhookSecret = (hostSecret: string, salt: string, generation: number): string =>
  `whsec_${base64(hmacSha256(utf8(hostSecret), utf8(`petstore webhook\n${salt}\n${generation}`)))}`

/**
 * A few digits by which a secret is told to be the one that was shown; far too few to find it by.
 */
export const secretMark = (secret: string): string => sha256(secret).slice(0, 8)
