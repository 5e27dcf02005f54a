/**
 * The queue of webhook deliveries, for the worker that sends them. All decisions and all state are
 * on this side.
 */
import type * as Either from "effect/Either"
import type { MaybePromise } from "../value/maybePromise.js"
import type { StorageError } from "../engine/port/StorageError.js"
import type { Program, ReadProgram } from "../engine/program/Program.js"
import { get } from "../engine/program/requests.js"
import {
  type AttemptReport,
  claimWebhook,
  decideResync,
  enabledWebhooks,
  loseReplay,
  releaseWebhook,
  settleAttempt,
  type Worker
} from "./delivering.js"
import { type WebhookRow, webhooks } from "./rows.js"
import type { WebhookPolicy } from "./WebhookRules.js"
import { secretMark, webhookSecret } from "./WebhookSecret.js"
import type { UrlRules } from "./webhookUrl.js"

type StorageResult<A> = MaybePromise<Either.Either<A, StorageError>>

/**
 * The operations of a delivery worker. `deliverWebhooks` is such a worker; hosts can write their
 * own.
 */
export type DeliveryQueue = {
  /** Which URLs messages may be sent to. */
  readonly rules: UrlRules
  /** Every enabled endpoint. */
  readonly enabled: () => StorageResult<ReadonlyArray<WebhookRow>>
  /** One endpoint in any state; undefined if there is none. */
  readonly one: (id: number) => StorageResult<WebhookRow | undefined>
  /** See `claimWebhook`. */
  readonly claim: (
    id: number,
    worker: Worker,
    epoch: string,
    nowMs: number
  ) => StorageResult<WebhookRow | undefined>
  /** See `releaseWebhook`. */
  readonly release: (seen: WebhookRow, skippedTo: number) => StorageResult<void>
  /** See `decideResync`. */
  readonly resync: (
    seen: WebhookRow,
    epoch: string,
    sequence: number,
    nowMs: number
  ) => StorageResult<WebhookRow | undefined>
  /** See `settleAttempt`. */
  readonly settle: (
    attempted: AttemptReport,
    worker: Worker,
    nowMs: number,
    random: number
  ) => StorageResult<WebhookRow | undefined>
  /** See `loseReplay`. */
  readonly lose: (
    seen: WebhookRow,
    sequence: number,
    nowMs: number
  ) => StorageResult<WebhookRow | undefined>
  /**
   * The secrets that sign messages of the endpoint now, the newest first. Undefined if the store
   * was opened without a secret, or with another one than the endpoint's secret was derived from.
   */
  readonly secretsOf: (row: WebhookRow, nowMs: number) => ReadonlyArray<string> | undefined
}

type Runners = {
  readonly read: <A>(start: () => ReadProgram<A>) => StorageResult<A>
  readonly write: <A>(start: () => Program<A>) => StorageResult<A>
}

export const makeDeliveryQueue = (
  { read, write }: Runners,
  policy: WebhookPolicy
): DeliveryQueue => ({
  rules: { allowHttp: policy.allowHttp, allowPrivateAddresses: policy.allowPrivateAddresses },
  enabled: () => read(enabledWebhooks),
  one: (id) => read(() => get(webhooks, id)),
  claim: (id, worker, epoch, nowMs) => write(() => claimWebhook(id, worker, epoch, nowMs)),
  release: (seen, skippedTo) => write(() => releaseWebhook(seen, skippedTo)),
  resync: (seen, epoch, sequence, nowMs) => write(() => decideResync(seen, epoch, sequence, nowMs)),
  settle: (attempted, worker, nowMs, random) =>
    write(() => settleAttempt(attempted, worker, nowMs, random)),
  lose: (seen, sequence, nowMs) => write(() => loseReplay(seen, sequence, nowMs)),
  secretsOf: ({ salt, generation, mark, previousUntilMs }, nowMs) => {
    const secret = policy.secret()
    if (secret === undefined) return undefined
    const current = webhookSecret(secret, salt, generation)
    if (secretMark(current) !== mark) return undefined
    return previousUntilMs !== null && previousUntilMs > nowMs && generation > 1
      ? [current, webhookSecret(secret, salt, generation - 1)]
      : [current]
  }
})
