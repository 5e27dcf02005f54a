/**
 * HMAC-SHA-256 (RFC 2104) without a platform. Derives the secrets that are not stored from the
 * secret of the host.
 */
import { sha256Bytes } from "./Sha256.js"

const BLOCK_BYTES = 64

/** The 32 bytes of the authentication code of the message. */
export const hmacSha256 = (
  key: ReadonlyArray<number>,
  message: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const short = key.length > BLOCK_BYTES ? sha256Bytes(key) : key
  const padded = (pad: number) =>
    Array.from({ length: BLOCK_BYTES }, (_, at) => (short[at] ?? 0) ^ pad)
  return sha256Bytes([...padded(0x5c), ...sha256Bytes([...padded(0x36), ...message])])
}
