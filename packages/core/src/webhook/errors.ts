/** Why a webhook is not made or changed, beyond what is wrong with what was handed in. */
import * as Data from "effect/Data"

/**
 * The store was opened without a secret for webhooks, so there is nothing that an endpoint's own
 * could be made from.
 */
export class NoWebhookSecret extends Data.TaggedError("NoWebhookSecret")<{}> {
  readonly code = "no_webhook_secret"
  override get message(): string {
    return "no secret was given for webhooks: open the store with webhooks: { secret }"
  }
}

/** There is nothing to send again at that place: it is ahead of the feed. */
export class NothingToReplay extends Data.TaggedError("NothingToReplay")<{
  readonly sequence: number
  readonly last: number
}> {
  readonly code = "nothing_to_replay"
  override get message(): string {
    return `there is no change ${this.sequence} yet: the last one is ${this.last}`
  }
}

/** As many single messages as can wait to be sent again do so already. */
export class TooManyReplays extends Data.TaggedError("TooManyReplays")<{ readonly most: number }> {
  readonly code = "too_many_replays"
  override get message(): string {
    return `${this.most} messages wait to be sent again already: replay from a sequence on, or wait`
  }
}
