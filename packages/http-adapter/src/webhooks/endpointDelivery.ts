/** Delivers to one endpoint, one message after the other, until there is none or one has to wait. */
import {
  type Attempted,
  type Change,
  changeMessage,
  outcomeOf,
  type Resync,
  replaysOf,
  resyncMessage,
  type StorageError,
  type WebhookMessage,
  type WebhookOutcome,
  type WebhookRow,
  type Worker
} from "@petstore/core"
import * as Either from "effect/Either"
import type { Semaphore } from "./Semaphore.js"
import { type Sending, sendOnce } from "./sendOnce.js"
import { signedHeaders } from "./sign.js"

/** An attempt, for logs and metrics. */
export type DeliveryAttempt = {
  readonly webhookId: number
  readonly messageId: string
  readonly type: string
  readonly sequence: number
  readonly outcome: WebhookOutcome
  readonly status?: number
  readonly durationMs: number
  /** When it is tried again, in milliseconds since 1970. */
  readonly nextMs?: number
  /** Whether the endpoint is sent nothing any more because of it. */
  readonly ended: boolean
}

/** The endpoint's secret was not made from the secret that the store was opened with. Rotate it, or open the store with the other. */
export class OtherWebhookSecret extends Error {
  override readonly name = "OtherWebhookSecret"
  readonly webhookId: number
  constructor(webhookId: number) {
    super(
      `webhook ${webhookId} is not sent to: its secret was made from another secret than the one given; rotate it, or give that one`
    )
    this.webhookId = webhookId
  }
}

export type Surroundings = Sending & {
  readonly worker: Worker
  readonly random: () => number
  /** Whether nothing new is begun. */
  readonly isStopping: () => boolean
  /** For those that are sent to. */
  readonly places: Semaphore
  readonly onAttempt: (attempt: DeliveryAttempt) => void
}

type Next =
  | { readonly kind: "message"; readonly turn: Attempted["turn"]; readonly message: WebhookMessage }
  | { readonly kind: "lost"; readonly sequence: number }
  | { readonly kind: "resync"; readonly sequence: number }
  /** Nothing for now; changes up to there were not asked for. */
  | { readonly kind: "none"; readonly skippedTo: number }

/** Changes that are read already, the next ones first. They never alter. */
type Ahead = { changes: ReadonlyArray<Change> }

const PAGE = 64

/** While others wait, an endpoint that has much to be sent leaves its place to them after so long. */
const TURN_MS = 1_000

/** So many changes that an endpoint has not asked for are passed over before its place is written down. */
const SKIPPED_UNWRITTEN = 500

/** How far an endpoint was looked through without anything for it. */
type LookedThrough = Pick<WebhookRow, "epoch" | "cursor" | "types"> & { readonly to: number }

/** What the store answers; throws what it fails with. */
export const value = async <A>(
  answer: Either.Either<A, StorageError> | Promise<Either.Either<A, StorageError>>
): Promise<A> => Either.getOrThrowWith(await answer, (error) => error)

export const makeEndpointDelivery = (surroundings: Surroundings) => {
  const { engine, worker, random, isStopping, places, onAttempt } = surroundings
  const { feed, webhooks: desk, nowMs } = engine
  const lookedThrough = new Map<number, LookedThrough>()
  let generation = feed.generation()

  const reached = ({ id, epoch, cursor, types }: WebhookRow): number => {
    const looked = lookedThrough.get(id)
    return looked?.epoch === epoch && looked.cursor === cursor && looked.types === types ? looked.to : cursor
  }

  const hasWork = (row: WebhookRow, epoch: string, last: number): boolean => {
    if (feed.generation() !== generation) {
      // Another state of the store was put in place of the one that was looked through.
      generation = feed.generation()
      lookedThrough.clear()
    }
    if (row.replays !== "" || row.resyncTo !== null) return true
    return (row.epoch !== "" && row.epoch !== epoch) || row.cursor > last || reached(row) < last
  }

  const nextReplay = async (sequence: number, epoch: string): Promise<Next> => {
    const page = await value(feed.page(sequence - 1, 1))
    const change = "type" in page ? undefined : page[0]
    return change?.sequence === sequence
      ? { kind: "message", turn: "replay", message: changeMessage(epoch, change) }
      : { kind: "lost", sequence }
  }

  /** `ahead` are changes that were read before; those that come next are taken from it. */
  const pageAfter = async (after: number, ahead: Ahead): Promise<ReadonlyArray<Change> | Resync> => {
    const at = ahead.changes.findIndex(({ sequence }) => sequence === after + 1)
    if (at >= 0) return ahead.changes.slice(at)
    const page = await value(feed.page(after, PAGE))
    ahead.changes = "type" in page ? [] : page
    return page
  }

  const nextOf = async (row: WebhookRow, epoch: string, ahead: Ahead): Promise<Next> => {
    const [replay] = replaysOf(row)
    if (replay !== undefined) return nextReplay(replay, epoch)
    if (row.nextMs !== null && row.nextMs > nowMs()) return { kind: "none", skippedTo: row.cursor }
    if (row.resyncTo !== null) {
      const message = resyncMessage(row.epoch, row.resyncTo, row.resyncMs ?? 0)
      return { kind: "message", turn: "next", message }
    }
    if (row.epoch !== "" && row.epoch !== epoch) return { kind: "resync", sequence: await value(feed.last()) }
    const types = row.types === "" ? undefined : row.types.split(" ")
    for (let after = reached(row); ; ) {
      const page = await pageAfter(after, ahead)
      if ("type" in page) return { kind: "resync", sequence: page.sequence }
      const change = page.find(({ type }) => types === undefined || types.includes(type))
      if (change !== undefined)
        return { kind: "message", turn: "next", message: changeMessage(epoch, change) }
      if (page.length === 0) return { kind: "none", skippedTo: after }
      after = page.at(-1)?.sequence ?? after
    }
  }

  /** Answers with the endpoint as it is then; undefined where nothing more is to be sent to it now. */
  const attempt = async (
    row: WebhookRow,
    message: WebhookMessage,
    turn: Attempted["turn"]
  ): Promise<WebhookRow | undefined> => {
    const secrets = desk.secretsOf(row, nowMs())
    if (secrets === undefined) {
      await value(desk.release(row, row.cursor))
      throw new OtherWebhookSecret(row.id)
    }
    const atMs = nowMs()
    const outgoing = {
      url: row.url,
      headers: signedHeaders(message, secrets, atMs),
      body: message.body,
      rules: desk.rules
    }
    const result = await sendOnce(surroundings, outgoing)
    if (result === undefined) {
      await value(desk.release(row, row.cursor))
      return undefined
    }
    const endMs = nowMs()
    const tookMillis = Math.max(0, Math.round(endMs - atMs))
    const after = await value(
      desk.settle({ seen: row, message, turn, result, atMs, tookMillis }, worker, endMs, random())
    )
    onAttempt({
      webhookId: row.id,
      messageId: message.id,
      type: message.type,
      sequence: message.sequence,
      outcome: outcomeOf(result),
      ...("status" in result ? { status: result.status } : {}),
      durationMs: tookMillis,
      ...(after === undefined || after.nextMs === null ? {} : { nextMs: after.nextMs }),
      ended: after?.state === "failing" || after?.state === "gone"
    })
    return after?.leaseHolder === worker.holder ? after : undefined
  }

  const step = async (row: WebhookRow, next: Exclude<Next, { readonly kind: "none" }>, epoch: string) => {
    if (next.kind === "message") return attempt(row, next.message, next.turn)
    return next.kind === "lost"
      ? value(desk.lose(row, next.sequence, nowMs()))
      : value(desk.resync(row, epoch, next.sequence, nowMs()))
  }

  /** `row` is the endpoint as it was seen; nothing is written before there is something for it. Answers whether there was. */
  const deliver = async (row: WebhookRow): Promise<boolean> => {
    const of = feed.generation()
    const epoch = await value(feed.epoch())
    const ahead: Ahead = { changes: [] }
    const first = await nextOf(row, epoch, ahead)
    if (first.kind === "none" && first.skippedTo - row.cursor < SKIPPED_UNWRITTEN) {
      const { epoch: seenEpoch, cursor, types } = row
      lookedThrough.set(row.id, { epoch: seenEpoch, cursor, types, to: first.skippedTo })
      return false
    }
    // The place comes before the lease, which would run out while it is waited for.
    await places.take()
    try {
      if (!isStopping() && feed.generation() === of) await deliverFrom(row.id, epoch, ahead, of)
    } finally {
      places.leave()
    }
    return true
  }

  const deliverFrom = async (id: number, epoch: string, ahead: Ahead, of: number): Promise<void> => {
    const beganMs = nowMs()
    const isToLeave = () => isStopping() || (places.isWanted && nowMs() - beganMs >= TURN_MS)
    let claimed = await value(desk.claim(id, worker, epoch, nowMs()))
    while (claimed !== undefined) {
      const next = await nextOf(claimed, epoch, ahead)
      const isOther = feed.generation() !== of
      if (isOther || next.kind === "none" || isToLeave()) {
        const skippedTo = !isOther && next.kind === "none" ? next.skippedTo : claimed.cursor
        await value(desk.release(claimed, skippedTo))
        return
      }
      claimed = await step(claimed, next, epoch)
    }
  }

  return { hasWork, deliver }
}
