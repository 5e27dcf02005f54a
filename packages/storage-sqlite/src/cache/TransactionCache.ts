/**
 * A cache of a writing connection: of rows, ids, or counts. It keeps its content from one
 * transaction to the next. `Tables` calls these methods at the events of a transaction.
 */
export type TransactionCache = {
  /** The savepoint of one program was released: its writes stay in the transaction. */
  readonly releaseSavepoint: () => void
  /** The savepoint was rolled back; the writes before it stay in the transaction. */
  readonly rollBackSavepoint: () => void
  /** The transaction is about to commit: the cache writes what it has not stored yet. */
  readonly flush: () => void
  /**
   * The whole transaction was rolled back, or another connection has committed since the last one.
   */
  readonly invalidate: () => void
}
