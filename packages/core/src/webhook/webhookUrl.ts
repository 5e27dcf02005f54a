/**
 * Where messages may be sent, as far as a URL alone says it. What a name leads to is looked at
 * again whenever a connection is made.
 */
import { IPV4 } from "../value/addressKey.js"
import { isPublicAddress } from "./publicAddress.js"

/**
 * The URL standard's own parser, which every platform has as a global; declared here because core
 * knows no platform.
 */
declare const URL: {
  readonly canParse: (text: string) => boolean
  new (
    text: string
  ): {
    readonly href: string
    readonly protocol: string
    readonly username: string
    readonly password: string
    readonly hostname: string
    readonly hash: string
  }
}

export const MAX_URL_LENGTH = 2_000

/** What a host lets webhooks do beyond what is safe anywhere. */
export type UrlRules = {
  readonly allowHttp: boolean
  readonly allowPrivateAddresses: boolean
}

/**
 * The address that stands in a URL in place of a name; undefined for a name. The parser has turned
 * all spellings of IPv4 into one.
 */
export const literalAddress = (hostname: string): string | undefined => {
  if (hostname.startsWith("[")) return hostname.slice(1, -1)
  return IPV4.test(hostname) ? hostname : undefined
}

/**
 * Names that lead nowhere else than to the machine itself (RFC 6761 §6.3), whatever a resolver
 * says.
 */
const isLocalName = (hostname: string): boolean => /^(?:.*\.)?localhost\.?$/.test(hostname)

/** Whether this host, as the parser writes it, is to be refused before anybody resolves it. */
export const isPrivateHost = (hostname: string): boolean => {
  const literal = literalAddress(hostname)
  return literal === undefined ? isLocalName(hostname) : !isPublicAddress(literal)
}

/** What was expected of the URL instead, for people; undefined where it is fine. */
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
