/**
 * Runs the claims of the storage ports under vitest: a backend's conformance test is its layer and
 * one call.
 */
import type { DirectStorage, Storage, Usage } from "@petstore/core"
import { type Claim, claims, directClaims } from "@petstore/storage-conformance"
import { Effect, type Layer } from "effect"
import { describe, test } from "vitest"

const runAll = <R, E>(name: string, promised: ReadonlyArray<Claim<R>>, layer: Layer.Layer<R, E>): void => {
  describe(name, () => {
    test.each(promised)("$claim", ({ check }) => Effect.runPromise(Effect.provide(check, layer)))
  })
}

/** `layer` makes a new and empty backend each time it is built. */
export const suite = <E>(name: string, layer: Layer.Layer<Storage | Usage, E>): void =>
  runAll(name, claims, layer)

/** The same for what a backend answers at once. */
export const directSuite = <E>(name: string, layer: Layer.Layer<DirectStorage | Usage, E>): void =>
  runAll(name, directClaims, layer)
