/** How many things of each kind a restore has carried over. */
export type CarriedOver = {
  /** Tables whose next id follows the last one of the replaced store. */
  readonly ids: number
  /** Records that got a revision after all that they had before. */
  readonly revisions: number
  /** Keys that were revoked, disabled or got another expiry after the backup. */
  readonly keys: number
  /** Webhooks that were removed, disabled or got another secret after the backup. */
  readonly webhooks: number
  /** Callers with their counts and bans. */
  readonly callers: number
}

/** One sentence for each kind of thing that the restored store lacks. */
export type NotCarriedOver = ReadonlyArray<string>
