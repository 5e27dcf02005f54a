/** Splits a request target into path and query (RFC 9112 §3.2). */

export type Target = { readonly path: string; readonly query: string }

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Proxies send the absolute form, which every server has to accept. An empty path is `/`. */
export const targetOf = (target: string): Target => {
  const local = target.charCodeAt(0) === 0x2f ? target : target.replace(ABSOLUTE, "")
  const hash = local.indexOf("#")
  const whole = hash === -1 ? local : local.slice(0, hash)
  const mark = whole.indexOf("?")
  if (mark === -1) return { path: whole === "" ? "/" : whole, query: "" }
  return { path: mark === 0 ? "/" : whole.slice(0, mark), query: whole.slice(mark + 1) }
}
