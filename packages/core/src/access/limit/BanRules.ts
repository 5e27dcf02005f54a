/** The ban policy in force: the built-in one unless a host provides another. */
import * as Context from "effect/Context"
import { type BanPolicy, DEFAULT_BAN_POLICY } from "./Ban.js"

/** The ban policy as a service. By default, `DEFAULT_BAN_POLICY`. */
export class BanRules extends Context.Reference<BanRules>()("@petstore/core/BanRules", {
  defaultValue: (): BanPolicy => DEFAULT_BAN_POLICY
}) {}
