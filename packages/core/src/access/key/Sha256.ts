/**
 * SHA-256 (FIPS 180-4) of a text, synchronous and without a platform. Digests of API keys are
 * stored instead of the keys.
 */

const firstPrimes = (count: number): ReadonlyArray<number> => {
  const primes: Array<number> = []
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

/**
 * The first 32 bits of the fraction, from which FIPS 180-4 §4.2.2 and §5.3.3 derive all constants.
 */
const fractionBits = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0

const ROUNDS = Int32Array.from(firstPrimes(64), (prime) => fractionBits(Math.cbrt(prime)))
const INITIAL = Int32Array.from(firstPrimes(8), (prime) => fractionBits(Math.sqrt(prime)))
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const BLOCK_BYTES = 64
/** The minimum length of the padding: one bit, then the length in 64 bits. */
const PADDING_BYTES = 9

// Reused by every call: hashing is synchronous, so two calls never overlap.
const words = new Int32Array(64)
const state = new Int32Array(8)
const oneBlock = new Uint8Array(BLOCK_BYTES)

/**
 * Hashes one block into `state` (FIPS 180-4 §6.2.2). Reads past the end can't happen; `?? 0` is for
 * the compiler.
 */
const compress = (bytes: Uint8Array, offset: number): void => {
  const w = words
  const k = ROUNDS
  for (let t = 0, at = offset; t < 16; t++, at += 4) {
    w[t] =
      ((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15] ?? 0
    const y = w[t - 2] ?? 0
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[t] = ((w[t - 16] ?? 0) + small0 + (w[t - 7] ?? 0) + small1) | 0
  }
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let t = 0; t < 64; t++) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + (k[t] ?? 0) + (w[t] ?? 0)) | 0
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = (state[0] ?? 0) + a
  state[1] = (state[1] ?? 0) + b
  state[2] = (state[2] ?? 0) + c
  state[3] = (state[3] ?? 0) + d
  state[4] = (state[4] ?? 0) + e
  state[5] = (state[5] ?? 0) + f
  state[6] = (state[6] ?? 0) + g
  state[7] = (state[7] ?? 0) + h
}

/** UTF-8; a lone surrogate becomes U+FFFD, as in the Encoding standard. */
export const utf8 = (text: string): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  for (const character of text.toWellFormed()) {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) bytes.push(point)
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63))
    else if (point < 0x10000)
      bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63))
    else {
      const tail = [0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)]
      bytes.push(0xf0 | (point >> 18), ...tail)
    }
  }
  return bytes
}

/** The length in bits, big-endian, at the end of the last block (FIPS 180-4 §5.1.1). */
const endWithLength = (blocks: Uint8Array, byteLength: number): void => {
  let bits = byteLength * 8
  for (let at = blocks.length - 1; at >= blocks.length - 8; at--) {
    blocks[at] = bits % 256
    bits = Math.floor(bits / 256)
  }
}

const inBlocks = (bytes: ReadonlyArray<number>): Uint8Array => {
  const blocks = new Uint8Array(
    Math.ceil((bytes.length + PADDING_BYTES) / BLOCK_BYTES) * BLOCK_BYTES
  )
  blocks.set(bytes)
  blocks[bytes.length] = 0x80
  endWithLength(blocks, bytes.length)
  return blocks
}

/** A short ASCII text, padded in a block that is reused; undefined for any other text. */
const inOneBlock = (text: string): Uint8Array | undefined => {
  const length = text.length
  if (length > BLOCK_BYTES - PADDING_BYTES) return undefined
  const block = oneBlock
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) return undefined
    block[at] = unit
  }
  block[length] = 0x80
  block.fill(0, length + 1)
  block[62] = length >>> 5
  block[63] = length << 3
  return block
}

/** Hashes whole blocks into `state`, which it initialises. */
const digest = (blocks: Uint8Array): Int32Array => {
  state.set(INITIAL)
  for (let offset = 0; offset < blocks.length; offset += BLOCK_BYTES) compress(blocks, offset)
  return state
}

/**
 * The digest of the text's UTF-8 as eight signed words, the first bytes in the first word. The next
 * call overwrites the array, so copy what you need.
 */
export const sha256Words = (text: string): Int32Array =>
  digest(inOneBlock(text) ?? inBlocks(utf8(text)))

/** The digest of these bytes, as 32 bytes. */
export const sha256Bytes = (bytes: ReadonlyArray<number>): ReadonlyArray<number> =>
  Array.from(digest(inBlocks(bytes))).flatMap((word) => [
    word >>> 24,
    (word >>> 16) & 255,
    (word >>> 8) & 255,
    word & 255
  ])

/** A digest as 64 lower-case hexadecimal digits. */
export const hexOf = (words: Int32Array): string => {
  let hex = ""
  for (const word of words) {
    hex += `${HEX[word >>> 24]}${HEX[(word >>> 16) & 255]}`
    hex += `${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`
  }
  return hex
}

/** The digest of the text's UTF-8, in hexadecimal. */
export const sha256 = (text: string): string => hexOf(sha256Words(text))
