/**
 * Encodes bodies as the caller asks. Handing a body to another thread costs more time than encoding
 * a small one, so only large bodies are handed over.
 */
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib"

/** The codings, in the order in which they are preferred at equal quality. */
const CODINGS = ["br", "gzip"] as const

export type Coding = (typeof CODINGS)[number]

/** Encoding a smaller body costs more than it saves. */
export const MIN_ENCODED_BYTES = 1_024

const MAX_SYNC_BYTES = 65_536

const GZIP = { level: 4 }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const MEMBER = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** The coding with the highest quality above 0 (RFC 9110 §12.5.3); undefined for a plain body. */
export const codingFor = (field: string | undefined): Coding | undefined => {
  if (field === undefined) return undefined
  const qualities = new Map<string, number>()
  for (const member of field.toLowerCase().split(",")) {
    const [, name, quality = "1"] = MEMBER.exec(member.trim()) ?? []
    if (name !== undefined) qualities.set(name === "x-gzip" ? "gzip" : name, Number(quality))
  }
  const rest = qualities.get("*") ?? 0
  let best: Coding | undefined
  let most = 0
  for (const coding of CODINGS) {
    const quality = qualities.get(coding) ?? rest
    if (quality > most) [best, most] = [coding, quality]
  }
  const plain = qualities.get("identity")
  return plain !== undefined && plain > most ? undefined : best
}

/** Calls back synchronously for small bodies; without bytes where encoding failed. */
export const encode = (
  body: string,
  length: number,
  coding: Coding,
  done: (encoded: Buffer | undefined) => void
): void => {
  if (length <= MAX_SYNC_BYTES) {
    return done(coding === "br" ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP))
  }
  const settle = (error: Error | null, encoded: Buffer) =>
    done(error === null ? encoded : undefined)
  if (coding === "br") brotliCompress(body, BROTLI, settle)
  else gzip(body, GZIP, settle)
}
