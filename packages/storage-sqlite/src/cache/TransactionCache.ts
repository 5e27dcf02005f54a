/**
 * What a writing connection remembers of a table's rows, between statements and from one
 * transaction to the next. All of them hear of the same events, from `Tables`.
 */
export type TransactionCache = {
  /** The current part of the transaction, that of one program, is kept. */
  readonly partKept: () => void
  /** It is rolled back, and the parts before it are kept. */
  readonly partRolledBack: () => void
  /** The transaction is about to commit: what is to be stored with it is written now. */
  readonly committing: () => void
  /**
   * The whole transaction is rolled back, or another connection has committed since the last one.
   */
  readonly invalidated: () => void
}
