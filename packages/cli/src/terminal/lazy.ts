/** Loads a command when it runs, so that other commands start faster. */
import * as Effect from "effect/Effect"
import type { CommandFailed } from "../CommandFailed.js"

type Run<Input> = (input: Input) => Effect.Effect<void, CommandFailed>

export const lazy =
  <Input>(load: () => Promise<Run<Input>>): Run<Input> =>
  (input) =>
    Effect.flatMap(Effect.promise(load), (run) => run(input))
