/** The answer of a command on stdout: text for people, or one JSON object for programs. */
import process from "node:process"
import { CommandFailed } from "../CommandFailed.js"
import { outputWritten } from "./output.js"
import { writeLine } from "./text.js"

let hasAnswered = false

/** Prints one of the two. The other one is not built. */
export const answer = async (
  json: boolean,
  forPrograms: () => unknown,
  forPeople: () => string | Promise<string>
): Promise<void> => {
  const text = json ? JSON.stringify(forPrograms()) : await forPeople()
  hasAnswered = true
  writeLine(process.stdout, text)
}

/**
 * Prints an answer that is shown only once, such as a key. Rejects with `lost` if it could not be
 * written.
 */
export const answerOnce = async (
  json: boolean,
  forPrograms: () => unknown,
  forPeople: () => string,
  lost: string
): Promise<void> => {
  await answer(json, forPrograms, forPeople)
  if (!(await outputWritten())) throw CommandFailed.because(lost, "output_lost")
}

/**
 * Fails with a partial answer. People read it above the failure; programs get both in one object.
 */
export const failWithAnswer = async (
  json: boolean,
  failure: CommandFailed,
  forPrograms: () => object,
  forPeople: () => string | Promise<string>
): Promise<never> => {
  if (!json) await answer(false, forPrograms, forPeople)
  const { code, message, exitCode } = failure
  throw new CommandFailed({ code, message, exitCode, ...(json ? { outcome: forPrograms() } : {}) })
}

/** Prints the failure of a command for programs, unless it has printed its answer already. */
export const answerFailure = ({ code, message, exitCode, outcome }: CommandFailed): void => {
  if (hasAnswered) return
  writeLine(process.stdout, JSON.stringify({ ...outcome, error: { code, message, exitCode } }))
}
