/** The header fields of a message as Standard Webhooks has them: its id, when this attempt is made, and a signature by each secret. */
import { createHmac } from "node:crypto"
import type { WebhookMessage } from "@petstore/core"

const PREFIX = "whsec_"

const signatureBy = (secret: string, content: string): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
    .update(content)
    .digest("base64")}`

/** `webhook-timestamp` is in whole seconds. Several secrets are those of a rotation that overlaps, the newest first. */
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
