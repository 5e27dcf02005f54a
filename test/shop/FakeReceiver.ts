/**
 * A receiver of webhooks without a network: it verifies what it gets as a receiver would, and
 * answers as the test says.
 */
import type { AttemptResult } from "@petstore/core/adapter"
import type {
  DeliveryAttempt,
  OutgoingMessage,
  WebhookSender
} from "@petstore/http-adapter/webhooks"
import { Webhook } from "standardwebhooks"
import { vi } from "vitest"

export type Received = OutgoingMessage & {
  readonly id: string
  readonly payload: {
    readonly type: string
    readonly timestamp: string
    readonly data: { readonly sequence: number }
  }
}

/** What the receiver does with a message: answers, or leaves it without an answer. */
export type Reaction = AttemptResult | "silence"

/**
 * What `standardwebhooks` says to a message at this time: throws unless one of its signatures is by
 * this secret.
 */
export const verified = (
  secret: string,
  { body, headers }: OutgoingMessage,
  nowMs: number
): unknown => {
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs })
  try {
    return new Webhook(secret).verify(body, { ...headers })
  } finally {
    vi.useRealTimers()
  }
}

export class FakeReceiver implements WebhookSender {
  readonly received: Array<Received> = []
  readonly attempts: Array<DeliveryAttempt> = []
  /** What it does with the next messages; those after are taken. */
  readonly reactions: Array<Reaction> = []
  readonly #waiting: Array<{ readonly isOver: () => boolean; readonly resolve: () => void }> = []

  readonly send = (message: OutgoingMessage, signal: AbortSignal): Promise<AttemptResult> => {
    const id = message.headers["webhook-id"] ?? ""
    this.received.push({ ...message, id, payload: JSON.parse(message.body) })
    this.#look()
    const reaction = this.reactions.shift() ?? { status: 204, detail: "" }
    if (reaction !== "silence") return Promise.resolve(reaction)
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve({ problem: "unreachable", detail: "aborted" }))
    )
  }

  readonly close = (): void => undefined

  /** For the `onAttempt` of deliveries. */
  readonly note = (attempt: DeliveryAttempt): void => {
    this.attempts.push(attempt)
    this.#look()
  }

  /** Until so many attempts have come in and been written down. */
  attempted(count: number): Promise<void> {
    return this.#until(() => this.attempts.length >= count)
  }

  /** Until so many messages have come in, answered or not. */
  reached(count: number): Promise<void> {
    return this.#until(() => this.received.length >= count)
  }

  get sequences(): ReadonlyArray<number> {
    return this.received.map(({ payload }) => payload.data.sequence)
  }

  #until(isOver: () => boolean): Promise<void> {
    return isOver()
      ? Promise.resolve()
      : new Promise((resolve) => this.#waiting.push({ isOver, resolve }))
  }

  #look(): void {
    for (const { isOver, resolve } of this.#waiting) if (isOver()) resolve()
  }
}
