/** Where the feed ends, asked within a transaction: where a new endpoint begins. */
import type { ReadProgram } from "../program/Program.js"

export function* lastSequence(): ReadProgram<number> {
  return 0
}
