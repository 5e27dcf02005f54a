/**
 * Decides whether an address is public. Messages are not sent to this machine, to private networks,
 * or to reserved addresses.
 */
import { bitsOf, IPV4, ipv6Groups } from "../value/addressKey.js"

/** A range of addresses: those that share this number of leading bits. */
type Block = { readonly bits: number; readonly length: number }

const ipv4 = (text: string): Block => {
  const [address = "", length = ""] = text.split("/")
  return { bits: bitsOf(address), length: Number(length) }
}

/**
 * The addresses that the registry of special-purpose IPv4 addresses (RFC 6890) does not call
 * global, multicast, and relays to arbitrary addresses.
 */
const NOT_PUBLIC_IPV4: ReadonlyArray<Block> = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // The address at which one large cloud serves the configuration of its machines.
  "168.63.129.16/32"
].map(ipv4)

const isPublicIpv4 = (bits: number): boolean =>
  !NOT_PUBLIC_IPV4.some((block) => (bits ^ block.bits) >>> (32 - block.length) === 0)

const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0]
const NAT64_LOCAL = [0x64, 0xff9b, 1]
const MAPPED = [0, 0, 0, 0, 0, 0xffff]
const TRANSLATED = [0, 0, 0, 0, 0xffff, 0]

const startsWith = (groups: ReadonlyArray<number>, start: ReadonlyArray<number>): boolean =>
  start.every((group, at) => groups[at] === group)

/**
 * Global unicast is 2000::/3 (RFC 4291 §2.4), without the ranges for documents, tests and tunnels.
 */
const isPublicIpv6 = (groups: ReadonlyArray<number>): boolean => {
  const [first = 0, second = 0, third = 0, , , , seventh = 0, eighth = 0] = groups
  const embedded = (seventh << 16) | eighth
  if ([MAPPED, TRANSLATED, NAT64].some((start) => startsWith(groups, start)))
    return isPublicIpv4(embedded)
  if (startsWith(groups, NAT64_LOCAL) || first >>> 13 !== 1) return false
  // 6to4 (RFC 3056) contains an IPv4 address.
  if (first === 0x2002) return isPublicIpv4((second << 16) | third)
  // 2001::/23 is for protocols, Teredo among them (RFC 6890); 2001:db8::/32 and 3fff::/20 are for
  // documents.
  if (first === 0x2001) return second >= 0x200 && second !== 0xdb8
  return !(first === 0x3fff && second < 0x1000)
}

/** Takes an address as the system writes it. Any other text is not public. */
export const isPublicAddress = (address: string): boolean => {
  if (IPV4.test(address)) return isPublicIpv4(bitsOf(address))
  const groups = ipv6Groups(address)
  return groups !== undefined && isPublicIpv6(groups)
}
