/** Names for requests: what the caller sent where that is safe to repeat, else a new one. */

declare const crypto: { readonly getRandomValues: (bytes: Uint32Array) => Uint32Array }

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

/** Makes a source of request ids: unique within it by counting, and among sources by 64 random bits. */
export const requestIds = (): ((sent: string | undefined) => string) => {
  const source = Array.from(crypto.getRandomValues(new Uint32Array(2)), (word) => word.toString(36)).join("")
  let count = 0
  return (sent) =>
    sent !== undefined && WELL_FORMED.test(sent) ? sent : `${source}-${(count++).toString(36)}`
}
