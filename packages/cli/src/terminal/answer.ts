/** The answer of a command on stdout: text for people, or one JSON object for programs. */
import process from "node:process"
import { writeLine } from "./text.js"

/** Prints what was asked for; the other of the two is not even made. */
export const answer = async (
  json: boolean,
  forPrograms: () => unknown,
  forPeople: () => string | Promise<string>
): Promise<void> => writeLine(process.stdout, json ? JSON.stringify(forPrograms()) : await forPeople())
