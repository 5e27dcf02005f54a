/** Entity tags of records (RFC 9110 §8.8.3): strong, made of id and revision. */

export const entityTag = (id: number, revision: number): string => `"${id}-${revision}"`

/** The suffix of a tag whose body is encoded: other bytes need another strong tag (§8.8.3.3). */
const CODING_SUFFIX = /-(?:br|gzip)$/

/** The tag of the same record with an encoded body. */
export const codedTag = (tag: string, coding: string): string => `${tag.slice(0, -1)}-${coding}"`

/** RFC 9110 §13.1.1: `*`, or tags separated by commas. */
export const IF_MATCH =
  /^(?:\*|(?:W\/)?"[!#-~\u0080-\u00ff]*"(?: *, *(?:W\/)?"[!#-~\u0080-\u00ff]*")*)$/

const EACH_TAG = /(W\/)?"([^"]*)"/g

/** The revisions of this record that an If-Match names by strong tags. Other tags match none. */
export const revisionsIn = (field: string, id: number): ReadonlyArray<number> => {
  const revisions: Array<number> = []
  for (const [, weak, text = ""] of field.matchAll(EACH_TAG)) {
    const [, own, revision] =
      /^([1-9]\d{0,15})-([1-9]\d{0,15})$/.exec(text.replace(CODING_SUFFIX, "")) ?? []
    if (weak === undefined && Number(own) === id) revisions.push(Number(revision))
  }
  return revisions
}

/**
 * This tag as an If-None-Match names it; undefined where it does not. The caller may name the tag
 * of the encoded body. Weak and strong tags are equal here (RFC 9110 §13.1.2).
 */
export const matchingTag = (field: string, tag: string): string | undefined => {
  if (field === tag || field.trim() === "*") return tag
  for (const [, , text = ""] of field.matchAll(EACH_TAG)) {
    if (`"${text.replace(CODING_SUFFIX, "")}"` === tag) return `"${text}"`
  }
  return undefined
}
