/** Schedules messages to be sent again. */
import { refuse } from "../engine/program/requests.js"
import { replaceRow } from "../engine/program/rows.js"
import { lastSequence } from "../shop/change/reading.js"
import { replaysOf } from "./delivering.js"
import { NothingToReplay, TooManyReplays } from "./errors.js"
import { webhooks } from "./rows.js"
import { findWebhook, NO_FAILURES } from "./storedWebhooks.js"
import type { WebhookReplay } from "./Webhook.js"

/** The maximum number of single messages that wait to be sent again. */
const MAX_REPLAYS = 100

/** All messages from a sequence on, or a single one. */
export function* replayMessages(id: number, what: WebhookReplay) {
  const row = yield* findWebhook(id)
  const sequence = "from" in what ? what.from : what.only
  const last = yield* lastSequence()
  if (sequence > last) return yield* refuse(new NothingToReplay({ sequence, last }))
  if ("from" in what) {
    return yield* replaceRow(webhooks, row, {
      ...NO_FAILURES,
      epoch: "",
      cursor: sequence - 1,
      resyncTo: null,
      resyncMs: null
    })
  }
  const waiting = replaysOf(row)
  if (waiting.length >= MAX_REPLAYS) return yield* refuse(new TooManyReplays({ most: MAX_REPLAYS }))
  return yield* replaceRow(webhooks, row, {
    replays: waiting.includes(sequence) ? row.replays : [...waiting, sequence].join(" ")
  })
}
