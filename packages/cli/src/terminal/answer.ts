/** The answer of a command on stdout: text for people, or one JSON object for programs. */
import process from "node:process"
import { CommandFailed } from "../CommandFailed.js"
import { outputTaken } from "./output.js"
import { writeLine } from "./text.js"

let hasAnswered = false

/** Prints what was asked for; the other of the two is not even made. */
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
 * The same for what is shown only this once, such as a key; rejects with `lost` where nobody could
 * read it.
 */
export const answerOnce = async (
  json: boolean,
  forPrograms: () => unknown,
  forPeople: () => string,
  lost: string
): Promise<void> => {
  await answer(json, forPrograms, forPeople)
  if (!(await outputTaken())) throw CommandFailed.because(lost, "output_lost")
}

/**
 * What a command found out before it failed. People read it above the failure; programs get it in
 * the object that has the failure too.
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

/**
 * The one object of a command that failed, for programs; nothing where it has had its answer
 * already.
 */
export const answerFailure = ({ code, message, exitCode, outcome }: CommandFailed): void => {
  if (hasAnswered) return
  writeLine(process.stdout, JSON.stringify({ ...outcome, error: { code, message, exitCode } }))
}
