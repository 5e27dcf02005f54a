/** The errors of webhooks, besides those of validation. */
import * as Data from "effect/Data"

/**
 * The store was opened without a secret for webhooks, from which those of endpoints are derived.
 */
export class NoWebhookSecret extends Data.TaggedError("NoWebhookSecret")<{}> {
  readonly code = "no_webhook_secret"
  override get message(): string {
    return "no secret was given for webhooks: open the store with webhooks: { secret }"
  }
}

/** There is nothing to send again at this sequence: it is ahead of the feed. */
export class NothingToReplay extends Data.TaggedError("NothingToReplay")<{
  readonly sequence: number
  readonly last: number
}> {
  readonly code = "nothing_to_replay"
  override get message(): string {
    return `there is no change ${this.sequence} yet: the last one is ${this.last}`
  }
}

/** The maximum number of single messages already waits to be sent again. */
export class TooManyReplays extends Data.TaggedError("TooManyReplays")<{ readonly most: number }> {
  readonly code = "too_many_replays"
  override get message(): string {
    return `${this.most} messages wait to be sent again already: replay from a sequence on, or wait`
  }
}
