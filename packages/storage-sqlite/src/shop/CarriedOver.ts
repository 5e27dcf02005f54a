/** How many of each were taken over, and what of the replaced store is not in the restored one. */
export type CarriedOver = {
  /** Tables in which the next id comes after all that were given. */
  readonly ids: number
  /** Records whose revision comes after all that they had. */
  readonly revisions: number
  /** Keys that were revoked, disabled or given another end after the backup. */
  readonly keys: number
  /** Webhooks that were removed, stopped or given another secret after the backup. */
  readonly webhooks: number
  /** Callers with their counts and bans. */
  readonly callers: number
}

/** One sentence for each kind of thing that could not be taken over. */
export type NotCarriedOver = ReadonlyArray<string>
