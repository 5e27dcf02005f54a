/** Validates the input for an endpoint: its members, and its URL. */
import * as Either from "effect/Either"
import { decoder } from "../value/Decoder.js"
import { echo } from "../value/echo.js"
import { ValidationFailed } from "../value/errors.js"
import type { RecordOf } from "../value/Struct.js"
import { NewWebhook, Replay, SecretRotation, WebhookPatch, type WebhookReplay } from "./Webhook.js"
import { urlProblem, type UrlRules } from "./webhookUrl.js"

const decodeNew = decoder(NewWebhook)
const decodePatch = decoder(WebhookPatch)
const decodeReplay = decoder(Replay)

export const validateNew = (webhook: NewWebhook, rules: UrlRules) =>
  Either.flatMap(decodeNew(webhook), (input) => checkedUrl(input, rules))

export const validatePatch = (patch: WebhookPatch, rules: UrlRules) =>
  Either.flatMap(decodePatch(patch), (input) => checkedUrl(input, rules))

export const validateReplay = (replay: WebhookReplay) =>
  Either.flatMap(decodeReplay(replay), oneReplay)

export const validateRotation = decoder(SecretRotation)

const wrong = (field: string, expected: string, got: string) =>
  Either.left(new ValidationFailed({ issues: [{ field, expected, got }] }))

/** The parser's error would repeat the whole URL, which may contain a secret of the receiver. */
const checkedUrl = <A extends { readonly url?: string }>(input: A, rules: UrlRules) => {
  const problem = input.url === undefined ? undefined : urlProblem(input.url, rules)
  return problem === undefined ? Either.right(input) : wrong("url", problem, "another one")
}

const oneReplay = (
  input: RecordOf<typeof Replay>
): Either.Either<WebhookReplay, ValidationFailed> => {
  const { from, only } = input
  if (from !== undefined && only === undefined) return Either.right({ from })
  return only !== undefined && from === undefined
    ? Either.right({ only })
    : wrong("", "either from or only", echo(input))
}
