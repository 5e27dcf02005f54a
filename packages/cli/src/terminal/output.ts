/** What becomes of the process when what it says can't be written. */
import process from "node:process"

const end = ({ code }: NodeJS.ErrnoException): void => {
  // Whoever reads the output may stop reading: `petstore … | head`.
  if (code === "EPIPE") process.exit(0)
  const why = code === "ENOSPC" ? "there is no room left where it goes" : (code ?? "it is gone")
  process.stderr.write(`petstore: can't write the output: ${why}\n`)
  process.exit(1)
}

/** Commands are there for what they say: they end. */
export const endWithOutput = (): void => void process.stdout.on("error", end)

/** A server is there for its callers: whoever only reads where it listens, `petstore serve | head -1`, has it go on. */
export const outliveOutput = (): void => void process.stdout.off("error", end).on("error", () => undefined)
