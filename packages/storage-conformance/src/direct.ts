/**
 * The synchronous port of the backend being checked, with defaults for the capabilities it lacks.
 */
import { DirectStorage, withDefaultCapabilities } from "@petstore/core/storage"
import * as Effect from "effect/Effect"

export const direct = Effect.map(DirectStorage, withDefaultCapabilities)
