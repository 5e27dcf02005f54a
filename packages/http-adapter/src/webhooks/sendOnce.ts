/** Sends one message within the timeout, unless deliveries stop first. */
import type { AttemptResult, Engine } from "@petstore/core/adapter"
import type { OutgoingMessage, WebhookSender } from "./WebhookSender.js"

/** How one message is sent. */
export type Sending = {
  readonly engine: Engine
  readonly sender: WebhookSender
  readonly timeoutMs: number
  /** Aborts when running attempts are given up. */
  readonly stopped: AbortSignal
  readonly onError: (cause: unknown) => void
}

/** Resolves with the result; with undefined if deliveries were stopped. */
export const sendOnce = (
  { engine, sender, timeoutMs, stopped, onError }: Sending,
  message: OutgoingMessage
): Promise<AttemptResult | undefined> =>
  new Promise((resolve) => {
    const gaveUp = new AbortController()
    const finish = (result: AttemptResult | undefined) => {
      cancel()
      stopped.removeEventListener("abort", stop)
      resolve(result)
    }
    const giveUp = (result: AttemptResult | undefined) => {
      finish(result)
      gaveUp.abort()
    }
    const stop = () => giveUp(undefined)
    const seconds = Math.round(timeoutMs / 1_000)
    const cancel = engine.after(timeoutMs, () =>
      giveUp({ problem: "timeout", detail: `no answer within ${seconds} s` })
    )
    stopped.addEventListener("abort", stop)
    sender.send(message, gaveUp.signal).then(finish, (cause: unknown) => {
      onError(cause)
      finish({ problem: "unreachable", detail: "the sender failed" })
    })
  })
