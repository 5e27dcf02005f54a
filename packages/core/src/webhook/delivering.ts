/**
 * The steps of a delivery as transactions: claiming an endpoint, its progress, and the outcome of
 * an attempt.
 */
import type { Program, ReadProgram } from "../engine/program/Program.js"
import { get, scan } from "../engine/program/requests.js"
import { replaceRow } from "../engine/program/rows.js"
import { afterAttempt, type AttemptResult } from "./afterAttempt.js"
import { logAttempt } from "./attemptLog.js"
import { excerptOf } from "./excerpt.js"
import type { WebhookMessage } from "./message.js"
import { STATE_INDEX, type WebhookRow, webhooks } from "./rows.js"

const PAGE = 100

/** Every enabled endpoint. */
export function* enabledWebhooks(): ReadProgram<ReadonlyArray<WebhookRow>> {
  const range = { index: STATE_INDEX, prefix: ["enabled"], atLeast: null, below: null }
  const rows: Array<WebhookRow> = []
  for (let after: { value: number; id: number } | null = null; ;) {
    const page: ReadonlyArray<WebhookRow> = yield* scan(webhooks, range, { limit: PAGE, after })
    rows.push(...page)
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return rows
    after = { value: last.id, id: last.id }
  }
}

/** A worker, and how long it claims an endpoint before it has to renew the claim. */
export type Worker = { readonly holder: string; readonly leaseMs: number }

/**
 * Far longer than any worker claims an endpoint. A longer claim means that a clock was set back.
 */
const LONGEST_LEASE_MS = 3_600_000

/**
 * Whether another worker has claimed it. `nowMs` may be earlier than that claim, since the caller
 * has waited for the write of the other worker, which may also have renewed its claim at once.
 */
export const heldByOther = (
  row: WebhookRow,
  { holder }: Pick<Worker, "holder">,
  nowMs: number
): boolean =>
  row.leaseHolder !== null &&
  row.leaseHolder !== holder &&
  row.leaseUntilMs !== null &&
  row.leaseUntilMs > nowMs &&
  row.leaseUntilMs <= nowMs + LONGEST_LEASE_MS

/**
 * The earliest time at which there may be something to send. Single messages to be sent again do
 * not wait for the current message.
 */
export const dueMs = ({ replays, nextMs }: WebhookRow): number =>
  replays === "" ? (nextMs ?? 0) : 0

/**
 * Claims an endpoint for this worker and returns its current row; undefined if nothing may be sent
 * to it now. `epoch` is that of the feed, for an endpoint that is claimed for the first time.
 */
export function* claimWebhook(
  id: number,
  worker: Worker,
  epoch: string,
  nowMs: number
): Program<WebhookRow | undefined> {
  const row = yield* get(webhooks, id)
  if (row?.state !== "enabled" || dueMs(row) > nowMs || heldByOther(row, worker, nowMs))
    return undefined
  return yield* replaceRow(webhooks, row, {
    epoch: row.epoch === "" ? epoch : row.epoch,
    leaseHolder: worker.holder,
    leaseUntilMs: nowMs + worker.leaseMs
  })
}

const FREE = { leaseHolder: null, leaseUntilMs: null }

/** Releases the claim. Changes up to `skippedTo` are of types that the endpoint does not get. */
export function* releaseWebhook(seen: WebhookRow, skippedTo: number): Program<void> {
  const row = yield* get(webhooks, seen.id)
  if (row === undefined || row.leaseHolder !== seen.leaseHolder) return
  const isWhereItWas =
    row.cursor === seen.cursor && row.epoch === seen.epoch && row.resyncTo === null
  yield* replaceRow(webhooks, row, { ...FREE, cursor: isWhereItWas ? skippedTo : row.cursor })
}

/**
 * Makes a resync the next message: the receiver must load the shop anew and continue after
 * `sequence`.
 */
export function* decideResync(
  seen: WebhookRow,
  epoch: string,
  sequence: number,
  nowMs: number
): Program<WebhookRow | undefined> {
  const row = yield* get(webhooks, seen.id)
  if (row === undefined || row.leaseHolder !== seen.leaseHolder || row.cursor !== seen.cursor)
    return undefined
  return yield* replaceRow(webhooks, row, {
    epoch,
    cursor: sequence,
    resyncTo: sequence,
    resyncMs: nowMs,
    failures: 0,
    nextMs: null
  })
}

/** A finished attempt. */
export type AttemptReport = {
  /** The row of the endpoint when it was claimed. */
  readonly seen: WebhookRow
  readonly message: WebhookMessage
  /** Whether it was the next message, or one that was replayed alone. */
  readonly turn: "next" | "replay"
  readonly result: AttemptResult
  readonly atMs: number
  readonly tookMillis: number
}

/**
 * Stores the outcome of an attempt: the position of the endpoint, its state, and the log. An
 * endpoint whose position was changed in the meantime keeps the new one. Returns the endpoint, or
 * undefined if it was removed.
 */
export function* settleAttempt(
  attempted: AttemptReport,
  worker: Worker,
  nowMs: number,
  random: number
): Program<WebhookRow | undefined> {
  const { seen, message, turn, result } = attempted
  const row = yield* get(webhooks, seen.id)
  if (row === undefined) return undefined
  const isAtHand = turn === "next" && isSameHead(row, seen)
  const after = afterAttempt(isAtHand ? row.failures : 0, result, nowMs, random)
  const changes = isAtHand
    ? progress(row, message, after)
    : turn === "replay"
      ? { replays: withoutReplay(row.replays, message.sequence) }
      : {}
  const endsSending = row.state === "enabled" && (after.outcome === "gone" || isAtHand)
  const state = endsSending ? after.state : row.state
  const isHolder = row.leaseHolder === worker.holder
  const goesOn = state === "enabled" && (after.outcome === "delivered" || turn === "replay")
  const logged = yield* logAttempt(row, {
    messageId: message.id,
    type: message.type,
    sequence: message.sequence,
    attempt: isAtHand ? row.failures + 1 : turn === "next" ? seen.failures + 1 : 0,
    atMs: attempted.atMs,
    tookMillis: attempted.tookMillis,
    outcome: after.outcome,
    status: "status" in result ? result.status : null,
    detail: after.outcome === "delivered" ? "" : excerptOf(result.detail),
    nextMs: isAtHand ? after.nextMs : null
  })
  return yield* replaceRow(webhooks, row, {
    ...changes,
    ...(state === row.state ? {} : { state, stateMs: nowMs }),
    ...(isHolder ? (goesOn ? { leaseUntilMs: nowMs + worker.leaseMs } : FREE) : {}),
    logged
  })
}

/** Records that a message to be sent again is no longer stored. */
export function* loseReplay(
  seen: WebhookRow,
  sequence: number,
  nowMs: number
): Program<WebhookRow | undefined> {
  const row = yield* get(webhooks, seen.id)
  if (row === undefined) return undefined
  const logged = yield* logAttempt(row, {
    messageId: "",
    type: "",
    sequence,
    attempt: 0,
    atMs: nowMs,
    tookMillis: 0,
    outcome: "lost",
    status: null,
    detail: "the change is no longer kept",
    nextMs: null
  })
  return yield* replaceRow(webhooks, row, { replays: withoutReplay(row.replays, sequence), logged })
}

const isSameHead = (row: WebhookRow, seen: WebhookRow): boolean =>
  row.epoch === seen.epoch && row.cursor === seen.cursor && row.resyncTo === seen.resyncTo

const progress = (
  { resyncTo }: WebhookRow,
  { sequence }: WebhookMessage,
  { outcome, failures, nextMs }: ReturnType<typeof afterAttempt>
): Partial<WebhookRow> => {
  if (outcome !== "delivered") return { failures, nextMs }
  const onward = { failures: 0, nextMs: null, cursor: sequence }
  return resyncTo === null ? onward : { ...onward, resyncTo: null, resyncMs: null }
}

/** The sequences to be sent again, in the order in which they were requested. */
export const replaysOf = ({ replays }: WebhookRow): ReadonlyArray<number> =>
  replays === "" ? [] : replays.split(" ").map(Number)

const withoutReplay = (replays: string, sequence: number): string =>
  replays
    .split(" ")
    .filter((each) => each !== String(sequence))
    .join(" ")
