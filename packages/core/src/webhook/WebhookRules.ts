/**
 * What a host decides about webhooks: the secret that theirs are made from, and where they may go.
 */
import * as Context from "effect/Context"
import type { UrlRules } from "./webhookUrl.js"

/** What a host decides about webhooks. */
export type WebhookOptions = Partial<UrlRules> & {
  /**
   * What each endpoint's signing secret is made from: at least 24 characters that nobody can guess,
   * the same at every start; or a function that is asked for it whenever one is needed, and has
   * none before there is an endpoint. White space around it is not part of it. It is not stored;
   * keep it as you keep passwords. Endpoints can be made only where it is given.
   */
  readonly secret?: string | (() => string | undefined)
}

/** What is decided about webhooks, defaults filled in. */
export type WebhookPolicy = UrlRules & { readonly secret: () => string | undefined }

const MIN_SECRET_LENGTH = 24

/**
 * Without the white space around it: files end with a newline, and one that was read is a secret
 * too.
 */
const longEnough = (secret: string | undefined): string | undefined => {
  const trimmed = secret?.trim()
  if (trimmed !== undefined && trimmed.length < MIN_SECRET_LENGTH) {
    throw new RangeError(
      `the secret for webhooks is too short: ${MIN_SECRET_LENGTH} characters at least`
    )
  }
  return trimmed
}

/** Throws a RangeError for a secret that is too short to be one; the message does not repeat it. */
export const webhookPolicy = ({
  secret,
  allowHttp = false,
  allowPrivateAddresses = false
}: WebhookOptions): WebhookPolicy => {
  const given = typeof secret === "function" ? secret : () => secret
  if (typeof secret === "string") longEnough(secret)
  return { secret: () => longEnough(given()), allowHttp, allowPrivateAddresses }
}

/** What a host has decided about webhooks; unless it has, there are none. */
export class WebhookRules extends Context.Reference<WebhookRules>()("@petstore/core/WebhookRules", {
  defaultValue: (): WebhookPolicy => webhookPolicy({})
}) {}
