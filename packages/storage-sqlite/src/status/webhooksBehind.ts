/** Finds webhooks with undelivered changes: the receiver refuses them, or no worker sends them. */
import { CHANGE_TYPES } from "@petstore/core"
import { WEBHOOK_STATES, type WebhookState } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import type { WebhookBehind } from "./StoreStatus.js"

/** How long a message may wait for its first attempt, in milliseconds. */
export const WAITING_MS = 60_000

type Webhook = {
  readonly id: number
  readonly url: string
  readonly types: string
  readonly code: number
  readonly stateMs: number
  readonly epoch: string
  readonly cursor: number
  readonly resyncTo: number | null
  readonly resyncMs: number | null
  readonly failures: number
  readonly nextMs: number
}

type WebhookRow = readonly [
  id: number,
  url: string,
  types: string,
  code: number,
  stateMs: number,
  epoch: string,
  cursor: number,
  resyncTo: number | null,
  resyncMs: number | null,
  failures: number,
  nextMs: number
]

type Feed = readonly [epoch: string | null, first: number, last: number]

type Change = readonly [id: number, type: number, atMs: number]

const WEBHOOKS_SQL = `SELECT id, url, types, state, state_ms, epoch, cursor, resync_to, resync_ms,
    failures, next_ms
  FROM webhooks ORDER BY id`

const webhookOf = ([
  id,
  url,
  types,
  code,
  stateMs,
  epoch,
  cursor,
  resyncTo,
  resyncMs,
  failures,
  nextMs
]: WebhookRow): Webhook => ({
  id,
  url,
  types,
  code,
  stateMs,
  epoch,
  cursor,
  resyncTo,
  resyncMs,
  failures,
  nextMs
})

const FEED_SQL = `SELECT (SELECT epoch FROM feed_epochs WHERE id = 1),
  coalesce((SELECT min(id) FROM changes), 1), coalesce((SELECT max(id) FROM changes), 0)`

/** The page size for reading changes. */
const CHANGES_PER_PAGE = 1_000

/** Whether a webhook is subscribed to a type of changes, by the stored code of the type. */
const subscribedTypes = ({ types }: Webhook): ReadonlyArray<boolean> => {
  const names = types.split(" ")
  return CHANGE_TYPES.map((type) => types === "" || names.includes(type))
}

/** Whether its position is not in this feed, or its next changes were deleted. */
const missesChanges = ({ epoch, cursor }: Webhook, [feedEpoch, first, last]: Feed): boolean =>
  (epoch !== "" && epoch !== feedEpoch) || cursor > last || cursor < first - 1

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "")

/** Counts the changes that wait for a webhook. */
class Backlog {
  readonly webhook: Webhook
  readonly #subscribedTypes: ReadonlyArray<boolean>
  readonly #needsResync: boolean
  #pending = 0
  /** The time of its oldest message. */
  #sinceMs: number | null

  constructor(webhook: Webhook, feed: Feed) {
    this.webhook = webhook
    this.#subscribedTypes = subscribedTypes(webhook)
    this.#needsResync = webhook.resyncTo !== null || missesChanges(webhook, feed)
    this.#sinceMs = webhook.resyncMs
  }

  add([id, type, atMs]: Change): void {
    if (id <= this.webhook.cursor || this.#subscribedTypes[type] !== true) return
    this.#pending++
    if (!this.#needsResync) this.#sinceMs ??= atMs
  }

  /** Undefined if nothing waits, or only for a short time. */
  report(nowMs: number): WebhookBehind | undefined {
    const { id, url, code, stateMs, failures, nextMs } = this.webhook
    const state = WEBHOOK_STATES[code] ?? "failing"
    if (this.#isUpToDate(state, nowMs)) return undefined
    return {
      id,
      origin: originOf(url),
      state,
      sinceMs: state === "enabled" ? this.#sinceMs : stateMs,
      pending: this.#pending,
      needsResync: this.#needsResync,
      failures,
      nextMs: state === "enabled" ? nextMs : null
    }
  }

  #isUpToDate(state: WebhookState, nowMs: number): boolean {
    const hasBacklog = this.#needsResync || this.#pending > 0
    if (state === "disabled") return !hasBacklog
    if (state !== "enabled") return false
    const isOnItsWay =
      this.webhook.failures === 0 && this.#sinceMs !== null && nowMs - this.#sinceMs < WAITING_MS
    return !hasBacklog || isOnItsWay
  }
}

/** Reads the changes once, from the first that any webhook may wait for. */
export const webhooksBehindIn = (file: Connection, nowMs: number): ReadonlyArray<WebhookBehind> => {
  const feed = file.rows<Feed>(FEED_SQL).get()
  if (feed === undefined) return []
  const all = file
    .rows<WebhookRow>(WEBHOOKS_SQL)
    .all()
    .map((row) => new Backlog(webhookOf(row), feed))
  const changes = file.rows<Change>(
    `SELECT id, type, at_ms FROM changes WHERE id > ? ORDER BY id LIMIT ${CHANGES_PER_PAGE}`
  )
  let from = all.reduce((least, { webhook }) => Math.min(least, webhook.cursor), feed[2])
  for (;;) {
    const page = changes.all(from)
    for (const change of page) for (const each of all) each.add(change)
    const [last] = page.at(-1) ?? []
    if (last === undefined) break
    from = last
  }
  return all.flatMap((each) => each.report(nowMs) ?? [])
}
