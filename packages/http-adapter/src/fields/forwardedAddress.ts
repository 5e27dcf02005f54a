/** The address of a caller behind proxies. */

const BRACKETED = /^\[([0-9a-fA-F:.]+)\](?::\d+)?$/
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/
const ADDRESS = /^[0-9a-fA-F.:]{2,45}$/

/** The address in one entry of X-Forwarded-For, without brackets and port. */
const addressIn = (entry: string): string | undefined => {
  const text = (BRACKETED.exec(entry) ?? WITH_PORT.exec(entry))?.[1] ?? entry
  return ADDRESS.test(text) ? text : undefined
}

/**
 * The nth entry from the right of X-Forwarded-For, which the outermost of n trusted proxies wrote;
 * anybody may have written the entries to its left. With fewer entries the leftmost counts, without
 * an address in it the socket's.
 */
export const forwardedAddress = (
  socketAddress: string,
  forwardedFor: string | undefined,
  trustProxy: number
): string => {
  if (trustProxy === 0 || forwardedFor === undefined) return socketAddress
  const entries = forwardedFor.split(",").slice(-trustProxy)
  return addressIn(entries[0]?.trim() ?? "") ?? socketAddress
}
