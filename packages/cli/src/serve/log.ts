/**
 * Writes log lines to a stream. Lines of one turn of the event loop share a write, so that a
 * request does not need its own system call.
 */

export type Log = {
  /** One line, without its end. */
  readonly write: (line: string) => void
  /** Writes the pending lines. */
  readonly flush: () => void
}

/** The part of stderr that a log uses. */
export type LogStream = {
  readonly write: (text: string) => unknown
  /** The length of the output that its reader has not read, in characters or bytes. */
  readonly writableLength: number
  readonly on: (event: "error", listener: () => void) => unknown
}

/** Writes of up to this size to a shared pipe are atomic (PIPE_BUF of Linux). */
const ATOMIC_BYTES = 4_096

/** The most output that waits for its reader. Lines beyond that are dropped and counted. */
const MAX_WAITING_BYTES = 16 * 1_048_576

/**
 * Lines are JSON objects. Those of a worker, which shares the stream with others, have its number,
 * and are not interleaved with other lines unless they are longer than {@link ATOMIC_BYTES}.
 */
export const makeLog = (stream: LogStream, worker?: number): Log => {
  const maxBytes = worker === undefined ? Number.POSITIVE_INFINITY : ATOMIC_BYTES
  const mark = worker === undefined ? "" : `,"worker":${worker}`
  let pending = ""
  let pendingBytes = 0
  let pendingLines = 0
  let dropped = 0
  const flush = () => {
    const lines = pending
    const count = pendingLines
    pending = ""
    pendingBytes = 0
    pendingLines = 0
    if (lines === "") return
    if (stream.writableLength > MAX_WAITING_BYTES) {
      dropped += count
      return
    }
    if (dropped > 0) stream.write(`${droppedLine(dropped).slice(0, -1)}${mark}}\n`)
    dropped = 0
    stream.write(lines)
  }
  // The reader of the log is gone. The server continues without it.
  stream.on("error", () => undefined)
  return {
    write: (json) => {
      const line = worker === undefined ? `${json}\n` : `${json.slice(0, -1)}${mark}}\n`
      if (worker !== undefined) {
        const bytes = Buffer.byteLength(line)
        if (pendingBytes + bytes > maxBytes) flush()
        pendingBytes += bytes
      }
      if (pending === "") setImmediate(flush)
      pending += line
      pendingLines++
    },
    flush
  }
}

const droppedLine = (lines: number): string =>
  JSON.stringify({ time: new Date().toISOString(), level: "error", event: "log_dropped", lines })
