/**
 * The secret that signs the messages of an endpoint. It is never stored: it is derived from the
 * secret of the host and a salt of the endpoint.
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

/** The salt of an endpoint. It is useless without the secret of the host. */
export const webhookSalt = (randomBytes: (count: number) => Uint8Array): string =>
  Array.from(randomBytes(SALT_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("")

/**
 * `whsec_` and 256 bits in base64, the form of symmetric secrets in Standard Webhooks. Each
 * generation of an endpoint has another secret, and none reveals another one or that of the host.
 */
export const webhookSecret = (hostSecret: string, salt: string, generation: number): string =>
  `whsec_${base64(hmacSha256(utf8(hostSecret), utf8(`petstore webhook\n${salt}\n${generation}`)))}`

/** A short fingerprint that identifies a secret; far too short to find the secret by. */
export const secretMark = (secret: string): string => sha256(secret).slice(0, 8)
