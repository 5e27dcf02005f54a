/** The operations on webhooks. A secret is returned once, when it is made, and stored nowhere. */
import * as Either from "effect/Either"
import { refersTo } from "../engine/list/Filter.js"
import type { Listing, Paging } from "../engine/list/ListQuery.js"
import { DAY_MS } from "../value/Time.js"
import { remove } from "../engine/program/requests.js"
import { replaceRow } from "../engine/program/rows.js"
import { readById, validateIdAlone, validateIdWith, write } from "../engine/operation/Operation.js"
import { readList } from "../engine/operation/readList.js"
import { validateNew, validatePatch, validateReplay, validateRotation } from "./validation.js"
import { forgetAttempts } from "./attemptLog.js"
import { replayMessages } from "./replayMessages.js"
import { type WebhookAttemptRow, webhookAttempts, type WebhookRow, webhooks } from "./rows.js"
import { presentAttempt, presentWithSecret, presentWebhook } from "./presentWebhook.js"
import type {
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookAttempt,
  WebhookPatch,
  WebhookReplay
} from "./Webhook.js"
import type { WebhookPolicy } from "./WebhookRules.js"
import { webhookSalt } from "./WebhookSecret.js"
import { issueWebhook, rotateSecret } from "./issueSecret.js"
import { findWebhook, joinTypes, NO_FAILURES } from "./storedWebhooks.js"

/** The filters of a list of attempts. */
export type WebhookAttemptQuery = Paging<"id"> & {
  /** Only attempts at this endpoint. */
  readonly webhookId?: number
}

const webhookListing: Listing<WebhookRow> = {
  collection: webhooks,
  filters: {},
  sorts: { id: "id" }
}

const attemptListing: Listing<WebhookAttemptRow> = {
  collection: webhookAttempts,
  filters: { webhookId: refersTo("webhookId") },
  sorts: { id: "id" }
}

function* setState(id: number, state: "enabled" | "disabled", nowMs: number) {
  const row = yield* findWebhook(id)
  return yield* replaceRow(webhooks, row, {
    ...(state === "enabled" ? NO_FAILURES : {}),
    state,
    stateMs: row.state === state ? row.stateMs : nowMs
  })
}

/** `randomBytes(n)` returns n unpredictable bytes, from which salts are made. */
export const webhookOperations = (
  randomBytes: (count: number) => Uint8Array,
  { secret, ...rules }: WebhookPolicy
) => ({
  /**
   * Creates an endpoint, which gets the changes from now on. Its secret is returned only this once.
   * Refused: `NoWebhookSecret` if the store was opened without `webhooks: { secret }`.
   *
   * @example
   * const { secret } = await store.webhooks.create({
   *   url: "https://shop.example/hooks",
   *   types: ["order.placed"]
   * })
   */
  create: write({
    validate: (webhook: NewWebhook) =>
      Either.map(
        validateNew(webhook, rules),
        (input) => [input, webhookSalt(randomBytes), secret()] as const
      ),
    program: (context, input: NewWebhook, salt: string, hostSecret: string | undefined) =>
      issueWebhook(input, salt, hostSecret, context.nowMs),
    present: presentWithSecret
  }),

  /**
   * One endpoint. Refused: `NotFound`.
   *
   * @example
   * const { state, deliveredTo } = await store.webhooks.get(1)
   */
  get: readById(findWebhook, presentWebhook),

  /**
   * A page of endpoints. Refused: `InvalidParameter`.
   *
   * @example
   * const { items } = await store.webhooks.list()
   */
  list: readList<Paging<"id">, WebhookRow, Webhook>(webhookListing, presentWebhook),

  /**
   * Changes the URL or the types of an endpoint. With a new URL the current message is sent at
   * once. Refused: `NotFound`.
   *
   * @example
   * await store.webhooks.update(1, { types: ["order.placed", "order.completed"] })
   */
  update: write({
    validate: (id: number, patch: WebhookPatch) => validateIdWith(id, validatePatch(patch, rules)),
    *program(_context, id: number, { url, types }: WebhookPatch) {
      return yield* replaceRow(webhooks, yield* findWebhook(id), {
        ...(url === undefined ? {} : { ...NO_FAILURES, url }),
        ...(types === undefined ? {} : { types: joinTypes(types) })
      })
    },
    present: presentWebhook
  }),

  /**
   * Removes an endpoint and its attempts. Refused: `NotFound`.
   *
   * @example
   * await store.webhooks.remove(1)
   */
  remove: write({
    validate: validateIdAlone,
    *program(_context, id: number) {
      const row = yield* findWebhook(id)
      yield* forgetAttempts(id)
      yield* remove(webhooks, row)
    },
    present: () => undefined
  }),

  /**
   * Enables an endpoint in any state. Delivery continues with the message at which it stopped.
   * Refused: `NotFound`.
   *
   * @example
   * await store.webhooks.enable(1)
   */
  enable: write({
    validate: validateIdAlone,
    program: (context, id: number) => setState(id, "enabled", context.nowMs),
    present: presentWebhook
  }),

  /**
   * Disables an endpoint until it is enabled again. It keeps its position in the feed. Refused:
   * `NotFound`.
   *
   * @example
   * await store.webhooks.disable(1)
   */
  disable: write({
    validate: validateIdAlone,
    program: (context, id: number) => setState(id, "disabled", context.nowMs),
    present: presentWebhook
  }),

  /**
   * Gives an endpoint a new secret, which is returned only this once. Messages are signed with the
   * old one too for `overlapMs` (a day by default); a secret before that one ends now. Refused:
   * `NotFound`, `NoWebhookSecret`.
   *
   * @example
   * const { secret } = await store.webhooks.rotate(1, { overlapMs: 3_600_000 })
   */
  rotate: write({
    validate: (id: number, rotation: SecretRotation = {}) =>
      Either.map(
        validateIdWith(id, validateRotation(rotation)),
        ([input, { overlapMs = DAY_MS }]) => [input, overlapMs, secret()] as const
      ),
    program: (context, id: number, overlapMs: number, hostSecret: string | undefined) =>
      rotateSecret(id, overlapMs, hostSecret, context.nowMs),
    present: presentWithSecret
  }),

  /**
   * Sends messages again with the same ids: every one from a sequence on, in order (`from`), or a
   * single one, out of order and only once (`only`). With `from`, types that the endpoint does not
   * get are left out, and one `resync` replaces changes that are no longer stored. With `only`, the
   * message is sent whatever its type, and logged as lost if it is no longer stored. Refused:
   * `NotFound`, `NothingToReplay`, `TooManyReplays`.
   *
   * @example
   * await store.webhooks.replay(1, { from: 1 })
   */
  replay: write({
    validate: (id: number, replay: WebhookReplay) => validateIdWith(id, validateReplay(replay)),
    program: (_context, id: number, what: WebhookReplay) => replayMessages(id, what),
    present: presentWebhook
  }),

  /**
   * A page of attempts, oldest first unless sorted by `-id`. The latest 500 of each endpoint are
   * stored. Refused: `InvalidParameter`.
   *
   * @example
   * const { items } = await store.webhooks.attempts({ webhookId: 1, sort: "-id" })
   */
  attempts: readList<WebhookAttemptQuery, WebhookAttemptRow, WebhookAttempt>(
    attemptListing,
    presentAttempt
  )
})
