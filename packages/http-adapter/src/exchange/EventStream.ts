/** An answer that goes on: whoever writes it, and whoever carries it away, at the pace of the slower one. */

/** Where a transport takes bytes. Nothing is called after `end` or `destroy`, nor once the other side was told that its reader is gone. */
export type Sink = {
  /** Takes all of it. False where no more should come until `drained`. The bytes are shared: nobody may change them. */
  readonly write: (bytes: Uint8Array) => boolean
  /** There is no more: what was written is delivered, and the answer ends as it should. */
  readonly end: () => void
  /** Gives the reader up, with what it has not taken. */
  readonly destroy: () => void
}

/** What the transport tells the writer. */
export type Writer = {
  /** There is room again. */
  readonly drained: () => void
  /** Nobody reads any more, whoever's doing that was. Called once, or more often. */
  readonly gone: () => void
}

/** Opened once, by the transport, when the header fields are out. */
export type EventStream = { readonly open: (sink: Sink) => Writer }
