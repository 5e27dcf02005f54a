/**
 * What the command writes reaches its reader in full, and a reader that is gone never ends its work
 * in the middle.
 */
import process from "node:process"

/** How long a server waits for whoever reads its log, once it has closed. */
const SERVER_FLUSH_MS = 1_000

let failure: NodeJS.ErrnoException | undefined
let isServer = false

/**
 * From now on a failed write ends nothing: the command does its work, and {@link finishOutput} says
 * what became of the output. To be called before anything is written.
 */
export const surviveOutput = (): void => {
  process.stdout.on("error", (cause) => {
    failure ??= cause
  })
  process.stderr.on("error", () => undefined)
}

/**
 * A server is there for its callers: it ends as it would have, whether its output could be written
 * or not.
 */
export const outliveOutput = (): void => {
  isServer = true
}

/**
 * Waits until the system has taken all that was written to stdout, however slow its reader is;
 * whether it has.
 */
export const outputTaken = async (): Promise<boolean> => {
  await flushOutput()
  return failure === undefined
}

/**
 * Waits until the readers have been handed everything, and answers with the exit code. A reader
 * that stops reading, as in `petstore … | head`, is no failure; it does not make a success of one
 * either.
 */
export const finishOutput = async (exitCode: number): Promise<number> => {
  const all = Promise.all([flushOutput(), flushed(process.stderr)])
  if (isServer) {
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, SERVER_FLUSH_MS).unref())])
    return exitCode
  }
  await all
  if (failure === undefined || failure.code === "EPIPE") return exitCode
  const why =
    failure.code === "ENOSPC" ? "there is no room left where it goes" : (failure.code ?? "it is gone")
  process.stderr.write(`petstore: can't write the output: ${why}\n`)
  await flushed(process.stderr)
  return exitCode === 0 ? 1 : exitCode
}

const flushOutput = async (): Promise<void> => {
  const cause = await flushed(process.stdout)
  failure ??= cause
}

/**
 * Resolves once the system has taken all that was written to the stream, or with why it never will.
 */
const flushed = (stream: NodeJS.WriteStream): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    stream.write("", (cause) => resolve(cause ?? undefined))
  })
