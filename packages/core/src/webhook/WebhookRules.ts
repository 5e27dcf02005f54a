/**
 * The rules of a host for webhooks: the secret that signing secrets derive from, and the URLs that
 * are allowed.
 */
import * as Context from "effect/Context"
import type { UrlRules } from "./webhookUrl.js"

/** The rules of a host for webhooks. */
export type WebhookOptions = Partial<UrlRules> & {
  /**
   * The secret from which the signing secret of each endpoint is derived: at least 24 unpredictable
   * characters, the same at every start. Or a function that is called whenever the secret is
   * needed; it may return nothing before there is an endpoint. White space around the secret is
   * ignored. It is not stored; keep it as you keep passwords. Endpoints can't be created without
   * it.
   */
  readonly secret?: string | (() => string | undefined)
}

/** The rules with defaults filled in. */
export type WebhookPolicy = UrlRules & { readonly secret: () => string | undefined }

const MIN_SECRET_LENGTH = 24

/** Removes white space around the secret: a secret that is read from a file ends with a newline. */
const longEnough = (secret: string | undefined): string | undefined => {
  const trimmed = secret?.trim()
  if (trimmed !== undefined && trimmed.length < MIN_SECRET_LENGTH) {
    throw new RangeError(
      `the secret for webhooks is too short: ${MIN_SECRET_LENGTH} characters at least`
    )
  }
  return trimmed
}

/** Throws a RangeError for a secret that is too short. The message does not repeat it. */
export const webhookPolicy = ({
  secret,
  allowHttp = false,
  allowPrivateAddresses = false
}: WebhookOptions): WebhookPolicy => {
  const given = typeof secret === "function" ? secret : () => secret
  if (typeof secret === "string") longEnough(secret)
  return { secret: () => longEnough(given()), allowHttp, allowPrivateAddresses }
}

/** The rules in force. By default, there is no secret, and so there are no webhooks. */
export class WebhookRules extends Context.Reference<WebhookRules>()("@petstore/core/WebhookRules", {
  defaultValue: (): WebhookPolicy => webhookPolicy({})
}) {}
