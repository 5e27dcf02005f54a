/**
 * HMAC-SHA-256 (RFC 2104), without a platform: how secrets that are never stored are made again
 * from one that the host keeps.
 */
import { sha256Bytes } from "./Sha256.js"

const BLOCK_BYTES = 64

/** 32 bytes that only who has the key can make of the message. */
export const hmacSha256 = (
  key: ReadonlyArray<number>,
  message: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const short = key.length > BLOCK_BYTES ? sha256Bytes(key) : key
  const padded = (pad: number) =>
    Array.from({ length: BLOCK_BYTES }, (_, at) => (short[at] ?? 0) ^ pad)
  return sha256Bytes([...padded(0x5c), ...sha256Bytes([...padded(0x36), ...message])])
}
