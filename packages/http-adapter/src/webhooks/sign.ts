/**
 * The header fields of a message by Standard Webhooks: its id, the time of this attempt, and one
 * signature for each secret.
 */
import { createHmac } from "node:crypto"
import type { WebhookMessage } from "@petstore/core/adapter"

const PREFIX = "whsec_"

const signatureBy = (secret: string, content: string): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(content)
    .digest("base64")}`

/** During a rotation there are several secrets, the newest first. */
export const signedHeaders = (
  { id, body }: WebhookMessage,
  secrets: ReadonlyArray<string>,
  nowMs: number
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(nowMs / 1_000)
  const content = `${id}.${timestamp}.${body}`
  return {
    "content-type": "application/json",
    "user-agent": "petstore-webhooks",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => signatureBy(secret, content)).join(" ")
  }
}
