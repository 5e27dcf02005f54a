/** What a host decides about webhooks: the secret that theirs are made from, and where they may go. */
import * as Context from "effect/Context"
import type { UrlRules } from "./webhookUrl.js"

export type WebhookOptions = Partial<UrlRules> & {
  /**
   * What each endpoint's signing secret is made from: at least 24 characters that nobody can guess, the same at every start. It is not
   * stored; keep it as you keep passwords. Endpoints can be made only where it is given.
   */
  readonly secret?: string
}

export type WebhookPolicy = UrlRules & { readonly secret: string | undefined }

const MIN_SECRET_LENGTH = 24

/** Throws a RangeError for a secret that is too short to be one; the message does not repeat it. */
export const webhookPolicy = ({
  secret,
  allowHttp = false,
  allowPrivateAddresses = false
}: WebhookOptions): WebhookPolicy => {
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    throw new RangeError(`the secret for webhooks is too short: ${MIN_SECRET_LENGTH} characters at least`)
  }
  return { secret, allowHttp, allowPrivateAddresses }
}

export class WebhookRules extends Context.Reference<WebhookRules>()("@petstore/core/WebhookRules", {
  defaultValue: (): WebhookPolicy => webhookPolicy({})
}) {}
