/**
 * The steps of delivering as transactions: who sends, how far an endpoint is, and what became of an
 * attempt.
 */
import type { Program, ReadProgram } from "../engine/program/Program.js"
import { get, replace, scan } from "../engine/program/requests.js"
import { afterAttempt, type AttemptResult } from "./afterAttempt.js"
import { logAttempt } from "./attemptLog.js"
import { excerptOf } from "./excerpt.js"
import type { WebhookMessage } from "./message.js"
import { STATE_INDEX, type WebhookRow, webhooks } from "./rows.js"

const PAGE = 100

/** Every endpoint that is sent to. */
export function* enabledWebhooks(): ReadProgram<ReadonlyArray<WebhookRow>> {
  const range = { index: STATE_INDEX, prefix: ["enabled"], atLeast: null, below: null }
  const found: Array<WebhookRow> = []
  for (let after: { value: number; id: number } | null = null; ; ) {
    const page: ReadonlyArray<WebhookRow> = yield* scan(webhooks, range, { limit: PAGE, after })
    found.push(...page)
    const last = page.at(-1)
    if (page.length < PAGE || last === undefined) return found
    after = { value: last.id, id: last.id }
  }
}

/** A worker, and for how long it has an endpoint to itself without saying so again. */
export type Worker = { readonly holder: string; readonly leaseMs: number }

/**
 * Far longer than any worker asks for: whoever seems to have an endpoint for longer has a clock
 * that was set back.
 */
const LONGEST_LEASE_MS = 3_600_000

/**
 * Whether another worker has it. `nowMs` may be from before the other took it, since whoever asks
 * has waited for the other's write since, and the other may ask for more time at once.
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
 * From when on there may be something to send; what waits to be sent again by hand does not wait
 * for the head.
 */
export const dueMs = ({ replays, nextMs }: WebhookRow): number =>
  replays === "" ? (nextMs ?? 0) : 0

/**
 * Takes an endpoint for this worker and answers with it as it is now; undefined where it is not to
 * be sent to at this moment. `epoch` is the feed's, for an endpoint that is looked at for the first
 * time.
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
  return yield* replace(webhooks, row, {
    epoch: row.epoch === "" ? epoch : row.epoch,
    leaseHolder: worker.holder,
    leaseUntilMs: nowMs + worker.leaseMs
  })
}

const FREE = { leaseHolder: null, leaseUntilMs: null }

/** Lets others have it. `skippedTo` are changes up to there that nobody asked for. */
export function* releaseWebhook(seen: WebhookRow, skippedTo: number): Program<void> {
  const row = yield* get(webhooks, seen.id)
  if (row === undefined || row.leaseHolder !== seen.leaseHolder) return
  const isWhereItWas =
    row.cursor === seen.cursor && row.epoch === seen.epoch && row.resyncTo === null
  yield* replace(webhooks, row, { ...FREE, cursor: isWhereItWas ? skippedTo : row.cursor })
}

/**
 * The receiver will have to load the shop anew and go on after `sequence`: that is the next
 * message.
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
  return yield* replace(webhooks, row, {
    epoch,
    cursor: sequence,
    resyncTo: sequence,
    resyncMs: nowMs,
    failures: 0,
    nextMs: null
  })
}

/** An attempt that is over. */
export type Attempted = {
  /** The endpoint as it was claimed. */
  readonly seen: WebhookRow
  readonly message: WebhookMessage
  /** Whether it was the next one, or sent once more by hand. */
  readonly turn: "next" | "replay"
  readonly result: AttemptResult
  readonly atMs: number
  readonly tookMillis: number
}

/**
 * Writes down how an attempt went: the place of the endpoint, its state, and the log. An endpoint
 * that was moved to another place meanwhile stays there. Answers with the endpoint, undefined where
 * it was removed.
 */
export function* settleAttempt(
  attempted: Attempted,
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
  return yield* replace(webhooks, row, {
    ...changes,
    ...(state === row.state ? {} : { state, stateMs: nowMs }),
    ...(isHolder ? (goesOn ? { leaseUntilMs: nowMs + worker.leaseMs } : FREE) : {}),
    logged
  })
}

/** Writes down that what was to be sent once more is not kept any longer. */
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
  return yield* replace(webhooks, row, { replays: withoutReplay(row.replays, sequence), logged })
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

/** The sequences that wait to be sent again, in the order they were asked for. */
export const replaysOf = ({ replays }: WebhookRow): ReadonlyArray<number> =>
  replays === "" ? [] : replays.split(" ").map(Number)

const withoutReplay = (replays: string, sequence: number): string =>
  replays
    .split(" ")
    .filter((each) => each !== String(sequence))
    .join(" ")
