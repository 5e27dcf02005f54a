/** The two sides of a streamed answer: the writer of events and the transport that sends them. */

/** The transport. Nothing is called after `end`, `destroy` or `Writer.gone`. */
export type Sink = {
  /**
   * Accepts all bytes. Returns false if no more should be written until `drained`. Several streams
   * share the bytes, so they must not be changed.
   */
  readonly write: (bytes: Uint8Array) => boolean
  /** Delivers what was written and ends the answer in order. */
  readonly end: () => void
  /** Drops the reader together with what it has not read. */
  readonly destroy: () => void
}

/** The writer, as the transport calls it. */
export type Writer = {
  /** The transport can take more again. */
  readonly drained: () => void
  /** There is no reader any more. May be called several times. */
  readonly gone: () => void
}

/** The transport opens it once, after the header fields. */
export type EventStream = { readonly open: (sink: Sink) => Writer }
