/**
 * Where messages may be sent, as far as the URL shows. The addresses of a name are checked again
 * for each connection.
 */
import { IPV4 } from "../value/addressKey.js"
import { isPublicAddress } from "./publicAddress.js"

/**
 * The parser of the URL standard, which every platform has as a global. Declared here because core
 * is independent of platforms.
 */
declare const URL: {
  readonly canParse: (text: string) => boolean
  new (text: string): {
    readonly href: string
    readonly protocol: string
    readonly username: string
    readonly password: string
    readonly hostname: string
    readonly hash: string
  }
}

export const MAX_URL_LENGTH = 2_000

/** What a host allows beyond what is safe everywhere. */
export type UrlRules = {
  readonly allowHttp: boolean
  readonly allowPrivateAddresses: boolean
}

/**
 * The IP address in a URL; undefined for a name. The parser has normalised all notations of IPv4.
 */
export const literalAddress = (hostname: string): string | undefined => {
  if (hostname.startsWith("[")) return hostname.slice(1, -1)
  return IPV4.test(hostname) ? hostname : undefined
}

/** Names that always mean the machine itself (RFC 6761 §6.3), whatever a resolver says. */
const isLocalName = (hostname: string): boolean => /^(?:.*\.)?localhost\.?$/.test(hostname)

/** Whether this host, as the parser writes it, is refused before it is resolved. */
export const isPrivateHost = (hostname: string): boolean => {
  const literal = literalAddress(hostname)
  return literal === undefined ? isLocalName(hostname) : !isPublicAddress(literal)
}

/** What was expected of the URL, for people; undefined if it is valid. */
export const urlProblem = (text: string, rules: UrlRules): string | undefined => {
  if (text.length > MAX_URL_LENGTH) return `at most ${MAX_URL_LENGTH} characters`
  if (/\s/.test(text) || !URL.canParse(text)) return "a URL such as https://shop.example/hooks"
  const { protocol, username, password, hostname, hash } = new URL(text)
  if (protocol !== "https:" && protocol !== "http:") return "a URL that begins with https://"
  if (username !== "" || password !== "") return "a URL without a user name or password in it"
  if (hash !== "" || text.endsWith("#")) return "a URL without a # part, which would not be sent"
  if (protocol === "http:" && !rules.allowHttp)
    return "a URL that begins with https://, as plain http is not allowed here"
  if (isPrivateHost(hostname) && !rules.allowPrivateAddresses)
    return "a public address, as private ones are not allowed here"
  return undefined
}
