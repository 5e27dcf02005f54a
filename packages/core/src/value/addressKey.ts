/** The caller of an address, by which requests without a valid API key are counted. */

/**
 * A number for an IPv4 address, a text for others. Neither refers to the text it was parsed from:
 * that may be a slice of a long header, which would stay in memory as long as the counter.
 */
export type AddressKey = number | string

const UNKNOWN_ADDRESS: AddressKey = "unknown"

export const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

const GROUPS = 8

/** A signed integer of 32 bits, which V8 stores without a box. */
export const bitsOf = (text: string): number => {
  let bits = 0
  let byte = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x2e) byte = byte * 10 + unit - 0x30
    else {
      bits = (bits << 8) | byte
      byte = 0
    }
  }
  return (bits << 8) | byte
}

/**
 * The groups on one side of `::`; an IPv4 tail counts for two. Undefined if they are not part of an
 * address.
 */
const groupsOf = (text: string): ReadonlyArray<number> | undefined => {
  if (text === "") return []
  const groups: Array<number> = []
  const parts = text.split(":")
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1 && IPV4.test(part)) {
      const bits = bitsOf(part)
      groups.push(bits >>> 16, bits & 0xffff)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

/**
 * The eight groups of an IPv6 address (RFC 4291 §2.2), without its zone; undefined for anything
 * else.
 */
export const ipv6Groups = (address: string): ReadonlyArray<number> | undefined => {
  const [head = "", tail, more] = address.replace(/%.*$/s, "").split("::")
  if (more !== undefined || !address.includes(":")) return undefined
  const left = groupsOf(head)
  const right = tail === undefined ? [] : groupsOf(tail)
  if (left === undefined || right === undefined || (tail !== undefined && head.includes(".")))
    return undefined
  const missing = GROUPS - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...left, ...Array.from({ length: missing }, () => 0), ...right]
}

const MAX_ADDRESS_LENGTH = 100

/**
 * The key of an IPv4 address, also when written as `::ffff:192.0.2.1`, and of the first 64 bits of
 * an IPv6 address, since one subscriber can use all addresses below them. Every text that is no
 * address has the same key, so that nobody gets fresh limits with made-up addresses.
 */
export const addressKey = (address: string): AddressKey => {
  if (address.length > MAX_ADDRESS_LENGTH) return UNKNOWN_ADDRESS
  if (IPV4.test(address)) return bitsOf(address)
  const groups = ipv6Groups(address)
  if (groups === undefined) return UNKNOWN_ADDRESS
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  return a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff
    ? (g << 16) | h
    : [a, b, c, d].map((group) => group.toString(16)).join(":")
}
