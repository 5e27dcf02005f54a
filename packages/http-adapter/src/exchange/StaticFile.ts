/** A file in memory with a strong entity tag of its content. */
import { sha256 } from "@petstore/core/adapter"
import { matchingTag } from "../fields/EntityTag.js"
import type { Answer, Incoming } from "./Incoming.js"

export type StaticFile = {
  readonly body: string
  readonly tag: string
  readonly headers: ReadonlyArray<string>
}

/** The hexadecimal digits of the digest in a tag: 128 bits. */
const TAG_LENGTH = 32

/** `headers` alternate names and values. */
export const staticFile = (
  type: string,
  body: string,
  headers: ReadonlyArray<string> = []
): StaticFile => {
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

/** Answers GET or HEAD: with the file, or with 304 where the caller has it. */
export const staticAnswer = (file: StaticFile, incoming: Incoming): Answer => {
  const { body, tag, headers } = file
  const field = incoming.header("if-none-match")
  const match = field === undefined ? undefined : matchingTag(field, tag)
  return match === undefined
    ? { status: 200, headers: [...headers], body, file }
    : { status: 304, headers: ["ETag", match, "Cache-Control", "no-cache"], body: null }
}
