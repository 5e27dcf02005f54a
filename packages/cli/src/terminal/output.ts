/**
 * Output of the process: all of it reaches the reader, and a reader that is gone does not end the
 * command.
 */
import process from "node:process"

/** How long a closed server waits for the reader of its log. */
const SERVER_FLUSH_MS = 1_000

let failure: NodeJS.ErrnoException | undefined
let isServer = false

/**
 * Keeps failed writes from ending the process. {@link finishOutput} reports them. Call it before
 * the first write.
 */
export const ignoreWriteErrors = (): void => {
  process.stdout.on("error", (cause) => {
    failure ??= cause
  })
  process.stderr.on("error", () => undefined)
}

/** The exit code of a server does not depend on whether its output was written. */
export const outputIsOptional = (): void => {
  isServer = true
}

/** Waits until stdout is written, however slow its reader is. Returns whether that worked. */
export const outputWritten = async (): Promise<boolean> => {
  await flushOutput()
  return failure === undefined
}

/**
 * Waits until all output is written and returns the exit code. A reader that stops early, as in
 * `petstore … | head`, is no failure.
 */
export const finishOutput = async (exitCode: number): Promise<number> => {
  const all = Promise.all([flushOutput(), flush(process.stderr)])
  if (isServer) {
    await Promise.race([
      all,
      new Promise((resolve) => setTimeout(resolve, SERVER_FLUSH_MS).unref())
    ])
    return exitCode
  }
  await all
  if (failure === undefined || failure.code === "EPIPE") return exitCode
  const why =
    failure.code === "ENOSPC"
      ? "there is no room left where it goes"
      : (failure.code ?? "it is gone")
  process.stderr.write(`petstore: can't write the output: ${why}\n`)
  await flush(process.stderr)
  return exitCode === 0 ? 1 : exitCode
}

const flushOutput = async (): Promise<void> => {
  const cause = await flush(process.stdout)
  failure ??= cause
}

/** Resolves once the stream is written, or with the error that prevents it. */
const flush = (stream: NodeJS.WriteStream): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    stream.write("", (cause) => resolve(cause ?? undefined))
  })
