/** Delivers to one endpoint, message by message, until there is none or one has to wait. */
import {
  type AttemptReport,
  outcomeOf,
  type WebhookMessage,
  type Worker
} from "@petstore/core/adapter"
import type { WebhookRow } from "@petstore/core/storage"
import { type DeliveryAttempt, OtherWebhookSecret } from "./DeliveryAttempt.js"
import { makeNextSteps, type NextStep, type ReadAhead } from "./nextStep.js"
import type { Semaphore } from "./Semaphore.js"
import { type Sending, sendOnce } from "./sendOnce.js"
import { signedHeaders } from "./sign.js"
import { valueOf } from "./valueOf.js"

type EndpointDeliveryOptions = Sending & {
  readonly worker: Worker
  readonly random: () => number
  /** Whether no message is begun any more. */
  readonly isStopping: () => boolean
  /** Limits how many endpoints are sent to at once. */
  readonly semaphore: Semaphore
  readonly onAttempt: (attempt: DeliveryAttempt) => void
}

/** After this time, an endpoint with many messages lets waiting endpoints go first. */
const MAX_TURN_MS = 1_000

/** The cursor of an endpoint is stored once it skipped this many changes. */
const MAX_UNSTORED_SKIP = 500

export const makeEndpointDelivery = (options: EndpointDeliveryOptions) => {
  const { engine, worker, random, isStopping, semaphore, onAttempt } = options
  const { feed, webhooks: queue, nowMs } = engine
  const { hasWork, nextOf, skip } = makeNextSteps(engine)

  /**
   * Returns the endpoint after the attempt; undefined where nothing more is to be sent to it now.
   */
  const attempt = async (
    row: WebhookRow,
    message: WebhookMessage,
    turn: AttemptReport["turn"]
  ): Promise<WebhookRow | undefined> => {
    const secrets = queue.secretsOf(row, nowMs())
    if (secrets === undefined) {
      await valueOf(queue.release(row, row.cursor))
      throw new OtherWebhookSecret(row.id)
    }
    const atMs = nowMs()
    const outgoing = {
      url: row.url,
      headers: signedHeaders(message, secrets, atMs),
      body: message.body,
      rules: queue.rules
    }
    const result = await sendOnce(options, outgoing)
    if (result === undefined) {
      await valueOf(queue.release(row, row.cursor))
      return undefined
    }
    const endMs = nowMs()
    const tookMillis = Math.max(0, Math.round(endMs - atMs))
    const after = await valueOf(
      queue.settle({ seen: row, message, turn, result, atMs, tookMillis }, worker, endMs, random())
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

  const run = async (
    row: WebhookRow,
    step: Exclude<NextStep, { readonly kind: "none" }>,
    epoch: string
  ) => {
    if (step.kind === "message") return attempt(row, step.message, step.turn)
    return step.kind === "lost"
      ? valueOf(queue.lose(row, step.sequence, nowMs()))
      : valueOf(queue.resync(row, epoch, step.sequence, nowMs()))
  }

  /** `generation` is the feed's, from before anything of it was read. */
  const deliverFrom = async (
    id: number,
    epoch: string,
    ahead: ReadAhead,
    generation: number
  ): Promise<void> => {
    const beganMs = nowMs()
    const isTurnOver = () =>
      isStopping() || (semaphore.hasWaiters && nowMs() - beganMs >= MAX_TURN_MS)
    let row = await valueOf(queue.claim(id, worker, epoch, nowMs()))
    while (row !== undefined) {
      const step = await nextOf(row, epoch, ahead)
      const isOutdated = feed.generation() !== generation
      if (isOutdated || step.kind === "none" || isTurnOver()) {
        const skippedTo = !isOutdated && step.kind === "none" ? step.skippedTo : row.cursor
        await valueOf(queue.release(row, skippedTo))
        return
      }
      row = await run(row, step, epoch)
    }
  }

  /**
   * `row` is the endpoint as it was last read. Writes nothing unless there is something for it, and
   * returns whether there was.
   */
  const deliver = async (row: WebhookRow): Promise<boolean> => {
    const generation = feed.generation()
    const epoch = await valueOf(feed.epoch())
    const ahead: ReadAhead = { changes: [] }
    const first = await nextOf(row, epoch, ahead)
    if (first.kind === "none" && first.skippedTo - row.cursor < MAX_UNSTORED_SKIP) {
      skip(row, first.skippedTo)
      return false
    }
    // The permit comes before the lease, which would expire while it waits.
    await semaphore.acquire()
    try {
      if (!isStopping() && feed.generation() === generation)
        await deliverFrom(row.id, epoch, ahead, generation)
    } finally {
      semaphore.release()
    }
    return true
  }

  return { hasWork, deliver }
}
