/**
 * Sends a line to the test that started this program, and returns once it is written, so that a
 * later kill can't lose it.
 */
import { writeSync } from "node:fs"

export const say = (...words: ReadonlyArray<string | number>): void => {
  writeSync(1, `${words.join(" ")}\n`)
}
