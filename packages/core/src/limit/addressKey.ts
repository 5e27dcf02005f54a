/** The key under which a request is counted: of an account, or, without a valid API key, of the address it comes from. */

/** All keys of an account share its limits. */
export const accountKey = (accountId: number): string => `account:${accountId}`

const UNKNOWN_ADDRESS = "address:unknown"

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

const GROUPS = 8

/** The groups on one side of `::`; an IPv4 tail counts for two. Undefined where they are not an address's. */
const groupsOf = (text: string): ReadonlyArray<number> | undefined => {
  if (text === "") return []
  const groups: Array<number> = []
  const parts = text.split(":")
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1 && IPV4.test(part)) {
      const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number)
      groups.push(a * 256 + b, c * 256 + d)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}

/** The eight groups of an IPv6 address (RFC 4291 §2.2), without its zone; undefined for anything else. */
const ipv6Groups = (address: string): ReadonlyArray<number> | undefined => {
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
 * An IPv4 address, also when written as `::ffff:192.0.2.1`; of an IPv6 address the first 64 bits, since one
 * subscriber can use all addresses below them. Everything that is no address shares one key, so that nobody gets
 * fresh limits by making addresses up.
 */
export const addressKey = (address: string): string => {
  if (address.length > MAX_ADDRESS_LENGTH) return UNKNOWN_ADDRESS
  if (IPV4.test(address)) return `address:${address}`
  const groups = ipv6Groups(address)
  if (groups === undefined) return UNKNOWN_ADDRESS
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  return a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff
    ? `address:${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`
    : `address:${[a, b, c, d].map((group) => group.toString(16)).join(":")}::/64`
}
