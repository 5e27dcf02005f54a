/**
 * Tells the test that started this program something, and returns once it is out: a kill later
 * takes nothing of it back.
 */
import { writeSync } from "node:fs"

export const say = (...words: ReadonlyArray<string | number>): void => {
  writeSync(1, `${words.join(" ")}\n`)
}
