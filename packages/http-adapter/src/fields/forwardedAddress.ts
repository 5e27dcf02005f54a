/** Where a request comes from, when proxies stand before the server. */

const BRACKETED = /^\[([0-9a-fA-F:.]+)\](?::\d+)?$/
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/
const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/

/** The address in one entry of X-Forwarded-For, without brackets and port; undefined for what is none. */
const addressIn = (entry: string): string | undefined => {
  const text = (BRACKETED.exec(entry) ?? WITH_PORT.exec(entry))?.[1] ?? entry
  return ADDRESS.test(text) ? text : undefined
}

/**
 * The nth entry from the right of X-Forwarded-For, which the outermost of n trusted proxies wrote; what stands further left
 * is anyone's claim. With fewer entries the leftmost counts, without a usable one the socket's address.
 */
export const addressOf = (
  socketAddress: string,
  forwardedFor: string | undefined,
  trustProxy: number
): string => {
  if (trustProxy === 0 || forwardedFor === undefined) return socketAddress
  const entries = forwardedFor.split(",").slice(-trustProxy)
  return addressIn(entries[0]?.trim() ?? "") ?? socketAddress
}
