/** Webhooks that are not told of what has happened: their receiver refuses it, or nobody sends. */
import { CHANGE_TYPES } from "@petstore/core"
import { WEBHOOK_STATES, type WebhookState } from "@petstore/core/storage"
import type { Connection } from "../driver/Driver.js"
import type { WebhookBehind } from "./StoreStatus.js"

/** How long a message may wait that nobody has tried to deliver, in milliseconds. */
export const WAITING_MS = 60_000

type Found = {
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

type FoundRow = readonly [
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

const FOUND = `SELECT id, url, types, state, state_ms, epoch, cursor, resync_to, resync_ms,
    failures, next_ms
  FROM webhooks ORDER BY id`

const foundOf = ([
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
]: FoundRow): Found => ({
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

const FEED = `SELECT (SELECT epoch FROM feed_epochs WHERE id = 1),
  coalesce((SELECT min(id) FROM changes), 1), coalesce((SELECT max(id) FROM changes), 0)`

/** Changes are read in pages of so many. */
const CHANGES_AT_ONCE = 1_000

/** Which changes a webhook asks for, by the code that they are stored with. */
const asksFor = ({ types }: Found): ReadonlyArray<boolean> => {
  const asked = types.split(" ")
  return CHANGE_TYPES.map((type) => types === "" || asked.includes(type))
}

/** Whether its place is none of this feed, or its next changes are no longer kept. */
const missesChanges = ({ epoch, cursor }: Found, [feedEpoch, first, last]: Feed): boolean =>
  (epoch !== "" && epoch !== feedEpoch) || cursor > last || cursor < first - 1

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "")

/** Counts what waits for a webhook. */
class Waiting {
  readonly webhook: Found
  readonly #asks: ReadonlyArray<boolean>
  readonly #needsResync: boolean
  #pending = 0
  /** Of its oldest message. */
  #sinceMs: number | null

  constructor(webhook: Found, feed: Feed) {
    this.webhook = webhook
    this.#asks = asksFor(webhook)
    this.#needsResync = webhook.resyncTo !== null || missesChanges(webhook, feed)
    this.#sinceMs = webhook.resyncMs
  }

  add([id, type, atMs]: Change): void {
    if (id <= this.webhook.cursor || this.#asks[type] !== true) return
    this.#pending++
    if (!this.#needsResync) this.#sinceMs ??= atMs
  }

  /** Undefined where all is well: nothing waits, or so briefly that it is on its way. */
  behind(nowMs: number): WebhookBehind | undefined {
    const { id, url, code, stateMs, failures, nextMs } = this.webhook
    const state = WEBHOOK_STATES[code] ?? "failing"
    if (this.#isWell(state, nowMs)) return undefined
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

  #isWell(state: WebhookState, nowMs: number): boolean {
    const waits = this.#needsResync || this.#pending > 0
    if (state === "disabled") return !waits
    if (state !== "enabled") return false
    const isOnItsWay =
      this.webhook.failures === 0 && this.#sinceMs !== null && nowMs - this.#sinceMs < WAITING_MS
    return !waits || isOnItsWay
  }
}

/** Goes through the changes once, from the first that any of them may wait for. */
export const webhooksBehindIn = (file: Connection, nowMs: number): ReadonlyArray<WebhookBehind> => {
  const feed = file.rows<Feed>(FEED).get()
  if (feed === undefined) return []
  const all = file
    .rows<FoundRow>(FOUND)
    .all()
    .map((row) => new Waiting(foundOf(row), feed))
  const changes = file.rows<Change>(
    `SELECT id, type, at_ms FROM changes WHERE id > ? ORDER BY id LIMIT ${CHANGES_AT_ONCE}`
  )
  let from = all.reduce((least, { webhook }) => Math.min(least, webhook.cursor), feed[2])
  for (;;) {
    const page = changes.all(from)
    for (const change of page) for (const each of all) each.add(change)
    const [last] = page.at(-1) ?? []
    if (last === undefined) break
    from = last
  }
  return all.flatMap((each) => each.behind(nowMs) ?? [])
}
