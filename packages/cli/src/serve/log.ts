/** Lines of a log on a stream. Those of one turn of the event loop go out together, so that a request does not cost a system call of its own. */

export type Log = {
  /** One line, without its end. */
  readonly write: (line: string) => void
  /** Writes out what has not been yet. */
  readonly flush: () => void
}

/** What several processes write to one pipe stays whole if none writes more than this at once (PIPE_BUF of Linux). */
const ATOMIC_BYTES = 4_096

/**
 * Of one of several processes that share a stream, the lines, which are JSON, also say which `worker` it is, and do not get into each
 * other; but for a line longer than a pipe takes at once.
 */
export const makeLog = (stream: NodeJS.WriteStream, worker?: number): Log => {
  const most = worker === undefined ? Number.POSITIVE_INFINITY : ATOMIC_BYTES
  let pending = ""
  let pendingBytes = 0
  const flush = () => {
    const lines = pending
    pending = ""
    pendingBytes = 0
    if (lines !== "") stream.write(lines)
  }
  // Whoever read the log is gone: the shop goes on without.
  stream.on("error", () => undefined)
  return {
    write: (told) => {
      const line = worker === undefined ? `${told}\n` : `${told.slice(0, -1)},"worker":${worker}}\n`
      if (worker !== undefined) {
        const bytes = Buffer.byteLength(line)
        if (pendingBytes + bytes > most) flush()
        pendingBytes += bytes
      }
      if (pending === "") setImmediate(flush)
      pending += line
    },
    flush
  }
}
