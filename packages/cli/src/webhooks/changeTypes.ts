/** The types of changes that a webhook is sent. */
import { CHANGE_TYPES, type ChangeType } from "@petstore/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.js"

const isType = (type: string): type is ChangeType => CHANGE_TYPES.some((each) => each === type)

/** The types that were named; absent for all types. */
export const parseTypes = (
  types: ReadonlyArray<string>
): Effect.Effect<{ readonly types?: ReadonlyArray<ChangeType> }, CommandFailed> => {
  const wrong = types.find((type) => !isType(type))
  if (wrong !== undefined)
    return Effect.fail(
      CommandFailed.usage(
        `--type: expected one of ${CHANGE_TYPES.join(", ")}, got '${wrong.slice(0, 40)}'`
      )
    )
  return Effect.succeed(types.length === 0 ? {} : { types: [...new Set(types.filter(isType))] })
}
