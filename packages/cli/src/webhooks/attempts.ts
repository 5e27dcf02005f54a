/** The latest attempts to deliver. */
import type { OpenPetStore, WebhookAttempt } from "@petstore/core"

/** Of one webhook, or of all, the latest first. */
export const latestAttempts = async (
  store: OpenPetStore,
  id: number | undefined,
  limit: number
): Promise<ReadonlyArray<WebhookAttempt>> => {
  const query = { sort: "-id", limit }
  return (await store.webhooks.attempts(id === undefined ? query : { ...query, webhookId: id }))
    .items
}
