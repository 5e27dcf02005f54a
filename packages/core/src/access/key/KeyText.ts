/**
 * The text of an API key: `ps_`, 32 random base62 characters, and a checksum that rejects garbage
 * without a look-up.
 */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const PREFIX = "ps_"
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const CHECKED_LENGTH = PREFIX.length + RANDOM_LENGTH

export const KEY_LENGTH = CHECKED_LENGTH + CHECKSUM_LENGTH

/** The number of characters of a key that are shown to recognise it by. */
const START_LENGTH = 8

/**
 * The largest multiple of 62 that a byte can reach. Greater bytes are discarded, or some characters
 * would be more likely than others.
 */
const FAIR_BYTES = 248

/**
 * More draws than any real source of randomness needs: a byte is usable with a probability of 97 %.
 */
const MAX_DRAWS = 64

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** CRC-32 (ISO 3309, as in zip) of the checked part, which is ASCII. */
const crcOf = (text: string): number => {
  let crc = -1
  for (let at = 0; at < CHECKED_LENGTH; at++) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0)
  }
  return (crc ^ -1) >>> 0
}

const checksumOf = (text: string): string => {
  let rest = crcOf(text)
  let digits = ""
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const hasChecksum = (text: string): boolean => {
  let rest = crcOf(text)
  for (let at = KEY_LENGTH - 1; at >= CHECKED_LENGTH; at--) {
    if (text.charCodeAt(at) !== ALPHABET.charCodeAt(rest % 62)) return false
    rest = Math.floor(rest / 62)
  }
  return true
}

/**
 * Whether a text could be a key. A text that fails was never issued; one that passes still has to
 * be looked up.
 */
export const isKeyText = (text: string): boolean =>
  text.length === KEY_LENGTH && /^ps_[0-9A-Za-z]{38}$/.test(text) && hasChecksum(text)

/**
 * A new key from random bytes, each character equally likely: 190 bits. `randomBytes(n)` returns n
 * fresh bytes per call.
 */
export const keyText = (randomBytes: (count: number) => Uint8Array): string => {
  let text = PREFIX
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    for (const byte of randomBytes(RANDOM_LENGTH + 8)) {
      if (byte < FAIR_BYTES) text += ALPHABET.charAt(byte % 62)
      if (text.length === CHECKED_LENGTH) return text + checksumOf(text)
    }
  }
  throw new Error(
    "keyText: the source of random bytes gives hardly any byte below 248, so it is not random"
  )
}

/**
 * The first characters, for people to recognise a key by. They are far too few to guess the rest.
 */
export const keyStart = (text: string): string => text.slice(0, START_LENGTH)
