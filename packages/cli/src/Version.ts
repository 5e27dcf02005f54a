/** The version of the command, which its package says. */
import * as Context from "effect/Context"

export class Version extends Context.Reference<Version>()("@petstore/cli/Version", {
  defaultValue: () => "0.0.0"
}) {}
