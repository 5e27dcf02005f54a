/** Lines of a log on a stream. Those of one turn of the event loop go out together, so that a request does not cost a system call of its own. */

export type Log = {
  /** One line, without its end. */
  readonly write: (line: string) => void
  /** Writes out what has not been yet. */
  readonly flush: () => void
}

export const makeLog = (stream: NodeJS.WriteStream): Log => {
  let pending = ""
  const flush = () => {
    const lines = pending
    pending = ""
    if (lines !== "") stream.write(lines)
  }
  // Whoever read the log is gone: the shop goes on without.
  stream.on("error", () => undefined)
  return {
    write: (line) => {
      if (pending === "") setImmediate(flush)
      pending += `${line}\n`
    },
    flush
  }
}
