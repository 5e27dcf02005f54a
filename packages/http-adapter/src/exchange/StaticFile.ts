/** A file that is made once, kept in memory, and told apart by a strong tag of its content. */
import { sha256 } from "@petstore/core"
import { matchingTag } from "../fields/EntityTag.js"
import type { Answer, Incoming } from "./Incoming.js"

export type StaticFile = {
  readonly body: string
  readonly tag: string
  readonly headers: ReadonlyArray<string>
}

/** Hexadecimal digits of the digest that make a tag: 128 bits. */
const TAG_LENGTH = 32

/** `headers` are names and values in turns. */
export const staticFile = (type: string, body: string, headers: ReadonlyArray<string> = []): StaticFile => {
  const tag = `"${sha256(body).slice(0, TAG_LENGTH)}"`
  return {
    body,
    tag,
    headers: [
      "Content-Type",
      type,
      "ETag",
      tag,
      "Cache-Control",
      "no-cache",
      "X-Content-Type-Options",
      "nosniff",
      ...headers
    ]
  }
}

/** Answers GET or HEAD: in full, or 304 where the caller has the file. */
export const staticAnswer = (file: StaticFile, incoming: Incoming): Answer => {
  const { body, tag, headers } = file
  const known = incoming.header("if-none-match")
  const named = known === undefined ? undefined : matchingTag(known, tag)
  return named === undefined
    ? { status: 200, headers: [...headers], body, kept: file }
    : { status: 304, headers: ["ETag", named, "Cache-Control", "no-cache"], body: null }
}
