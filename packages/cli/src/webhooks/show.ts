/** Prints webhooks and attempts, without their secrets except a new one. */
import type { IssuedWebhook, Webhook, WebhookAttempt } from "@petstore/core"
import { answer } from "../terminal/answer.js"
import { drawTable, exactTime, shortTime, printable } from "../terminal/text.js"

/** The state of a webhook in a few words. */
const stateText = ({ state, failures, nextAttemptAt }: Webhook): string =>
  state !== "enabled"
    ? state
    : failures === 0
      ? "enabled"
      : `retrying (${failures} failed, next ${exactTime(nextAttemptAt)})`

const typesOf = ({ types }: Webhook): string => types?.join(", ") ?? "all"

export const webhookTable = (webhooks: ReadonlyArray<Webhook>): Promise<string> =>
  drawTable(
    ["id", "URL", "types", "state", "since (UTC)", "delivered to"],
    webhooks.map((webhook) => [
      String(webhook.id),
      printable(webhook.url, 50),
      printable(typesOf(webhook), 40),
      stateText(webhook),
      shortTime(webhook.stateSince),
      String(webhook.deliveredTo)
    ]),
    [0, 5]
  )

export const webhookText = (webhook: Webhook): string =>
  [
    `Webhook ${webhook.id} sends to ${printable(webhook.url, 2_000)}`,
    `types: ${typesOf(webhook)}`,
    `state: ${stateText(webhook)}, since ${shortTime(webhook.stateSince)} UTC`,
    `delivered: all up to change ${webhook.deliveredTo}`,
    ...(webhook.replaysWaiting === 0
      ? []
      : [`waiting to be sent again: ${webhook.replaysWaiting}`]),
    ...(webhook.previousSecretUntil === undefined
      ? []
      : [`the secret before this one signs until ${shortTime(webhook.previousSecretUntil)} UTC`])
  ].join("\n")

export const issuedText = (webhook: IssuedWebhook, what: string): string =>
  [webhook.secret, `${what} Its signing secret, above, is shown only now.`].join("\n")

export const attemptTable = (attempts: ReadonlyArray<WebhookAttempt>): Promise<string> =>
  drawTable(
    [
      "at (UTC)",
      "webhook",
      "sequence",
      "type",
      "attempt",
      "outcome",
      "status",
      "ms",
      "next (UTC)",
      "said"
    ],
    attempts.map((attempt) => [
      exactTime(attempt.at),
      String(attempt.webhookId),
      String(attempt.sequence),
      attempt.type,
      attempt.attempt === 0 ? "again" : String(attempt.attempt),
      attempt.outcome,
      String(attempt.status ?? ""),
      String(attempt.durationMs),
      exactTime(attempt.nextAttemptAt),
      printable(attempt.detail ?? "", 40)
    ]),
    [1, 2, 4, 6, 7]
  )

/** Prints the state of a webhook after a command has changed it. */
export const answerWith = (json: boolean, webhook: Webhook): Promise<void> =>
  answer(
    json,
    () => webhook,
    () =>
      `Webhook ${webhook.id} is ${stateText(webhook)}; delivered are all changes up to ` +
      `${webhook.deliveredTo}.`
  )
