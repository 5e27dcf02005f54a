/**
 * Lines of a log on a stream. Those of one turn of the event loop go out together, so that a request
 * does not cost a system call of its own.
 */

export type Log = {
  /** One line, without its end. */
  readonly write: (line: string) => void
  /** Writes out what has not been yet. */
  readonly flush: () => void
}

/** What a log needs of stderr. */
export type LogStream = {
  readonly write: (text: string) => unknown
  /** What is written and waits for its reader, in characters or bytes. */
  readonly writableLength: number
  readonly on: (event: "error", listener: () => void) => unknown
}

/** What several processes write to one pipe stays whole if none writes more than this at once (PIPE_BUF of Linux). */
const ATOMIC_BYTES = 4_096

/** How much may wait for a reader that has stopped. Lines beyond that are dropped, and counted. */
const MAX_WAITING_BYTES = 16 * 1_048_576

/**
 * Of one of several processes that share a stream, the lines, which are JSON, also say which
 * `worker` it is, and do not get into each other; but for a line longer than a pipe takes at once.
 */
export const makeLog = (stream: LogStream, worker?: number): Log => {
  const most = worker === undefined ? Number.POSITIVE_INFINITY : ATOMIC_BYTES
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
  // Whoever read the log is gone: the shop goes on without.
  stream.on("error", () => undefined)
  return {
    write: (told) => {
      const line = worker === undefined ? `${told}\n` : `${told.slice(0, -1)}${mark}}\n`
      if (worker !== undefined) {
        const bytes = Buffer.byteLength(line)
        if (pendingBytes + bytes > most) flush()
        pendingBytes += bytes
      }
      if (pending === "") setImmediate(flush)
      pending += line
      pendingLines++
    },
    flush
  }
}

/** In the form of the log's other lines. */
const droppedLine = (lines: number): string =>
  JSON.stringify({ time: new Date().toISOString(), level: "error", event: "log_dropped", lines })
