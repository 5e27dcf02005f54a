/** Reads and decodes the body of a request. Checks type, size, JSON and schema in this order. */
import { ValidationFailed } from "@petstore/core"
import { echo } from "@petstore/core/adapter"
import * as Either from "effect/Either"
import type { Operation } from "../compile/Operation.js"
import {
  BodyTooLarge,
  InvalidJson,
  MalformedRequest,
  type Refusal,
  UnsupportedMediaType
} from "../contract/errors.js"
import { parseJson } from "../json/StrictJson.js"
import { BodyAlreadyRead } from "../exchange/BodyAlreadyRead.js"
import type { Exchange } from "../exchange/Exchange.js"
import type { Incoming } from "../exchange/Incoming.js"
import { die } from "../exchange/refuse.js"
import { isJson } from "../fields/MediaType.js"

/** The checks that need no byte of the body. */
const checkHeader = (incoming: Incoming, maxBodyBytes: number): Refusal | undefined => {
  const coding = incoming.header("content-encoding")
  if (coding !== undefined && coding.toLowerCase() !== "identity") {
    return new UnsupportedMediaType({
      header: "Content-Encoding",
      expected: "identity",
      got: echo(coding)
    })
  }
  const type = incoming.header("content-type")
  if (type === undefined ? incoming.hasBody : !isJson(type, incoming.method)) {
    const expected =
      incoming.method === "PATCH"
        ? "application/json or application/merge-patch+json, in UTF-8"
        : "application/json, in UTF-8"
    return new UnsupportedMediaType({ header: "Content-Type", expected, got: echo(type) })
  }
  const { declaredBytes } = incoming
  return declaredBytes !== undefined && declaredBytes > maxBodyBytes
    ? new BodyTooLarge({ maxBodyBytes })
    : undefined
}

/** A record may be sent back with its id, which has to be the one in the path. */
const withoutOwnId = (value: unknown, id: number): Either.Either<unknown, ValidationFailed> => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "id"))
    return Either.right(value)
  const { id: own, ...rest }: { readonly id?: unknown } = value
  return own === id
    ? Either.right(rest)
    : Either.left(
        new ValidationFailed({
          issues: [{ field: "id", expected: `${id}, as in the path, or no id`, got: echo(own) }]
        })
      )
}

const decodeText = (
  text: string,
  operation: Operation,
  id: number | undefined,
  maxJsonDepth: number
): Either.Either<unknown, Refusal> => {
  if (text === "")
    return Either.left(new InvalidJson({ fault: "expected a JSON object, got nothing" }))
  const parsed = parseJson(text, maxJsonDepth)
  if (Either.isLeft(parsed)) return Either.left(new InvalidJson({ fault: parsed.left.expected }))
  const { decodeBody, namesOwnId } = operation
  if (decodeBody === undefined) return Either.right(parsed.right)
  if (id === undefined || !namesOwnId) return decodeBody(parsed.right)
  return Either.flatMap(withoutOwnId(parsed.right, id), decodeBody)
}

const refusalOf = (
  failed: "too_large" | "not_utf8" | "malformed",
  maxBodyBytes: number
): BodyTooLarge | InvalidJson | MalformedRequest => {
  if (failed === "too_large") return new BodyTooLarge({ maxBodyBytes })
  return failed === "malformed"
    ? new MalformedRequest({ fault: "the body is not framed as HTTP/1.1 has it" })
    : new InvalidJson({ fault: "expected UTF-8, got other bytes" })
}

/**
 * Calls back once, possibly synchronously. Never calls back if the caller has disconnected, or if
 * the host has begun to read the body.
 */
export const readBody = (
  exchange: Exchange,
  operation: Operation,
  done: (body: Either.Either<unknown, Refusal>) => void
): void => {
  const { incoming, settings, id } = exchange
  const { maxBodyBytes, maxJsonDepth } = settings
  const refusal = checkHeader(incoming, maxBodyBytes)
  if (refusal !== undefined) return done(Either.left(refusal))
  if (!incoming.hasBody) return done(decodeText("", operation, id, maxJsonDepth))
  incoming.readBody(maxBodyBytes, (body) => {
    if (typeof body === "string") return done(decodeText(body, operation, id, maxJsonDepth))
    if (body instanceof BodyAlreadyRead) return die(exchange, body)
    if (body.failed === "vanished" || body.failed === "cut") {
      return exchange.observer?.gone(exchange, body.failed)
    }
    done(Either.left(refusalOf(body.failed, maxBodyBytes)))
  })
}
