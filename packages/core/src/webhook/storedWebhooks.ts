/** The steps that operations on webhooks share. */
import type { ReadProgram } from "../engine/program/Program.js"
import { find } from "../engine/program/requests.js"
import { NotFound } from "../engine/operation/errors.js"
import { type WebhookRow, webhooks } from "./rows.js"

export const findWebhook = (id: number): ReadProgram<WebhookRow, NotFound> =>
  find(webhooks, id, () => new NotFound({ kind: "webhook", id }))

/** The state of deliveries of an endpoint that is new, enabled again or at another URL. */
export const NO_FAILURES = { failures: 0, nextMs: null }

/** The types of changes that an endpoint gets, in stored form. Null means all. */
export const joinTypes = (types: ReadonlyArray<string> | null | undefined): string =>
  (types ?? []).join(" ")
