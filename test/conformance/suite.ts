/**
 * Runs the claims of the storage ports under vitest: a backend's conformance test is its layer and
 * one call.
 */
import { type DirectPort, DirectStorage, type Storage, type Usage } from "@petstore/core/storage"
import { type Claim, claims, dataVersionClaims, directClaims } from "@petstore/storage-conformance"
import { Context, Effect, Layer } from "effect"
import { describe, test } from "vitest"
import { variantsOf } from "./rewriting.js"

const runAll = <R, E>(
  name: string,
  promised: ReadonlyArray<Claim<R>>,
  layer: Layer.Layer<R, E>
): void => {
  describe(name, () => {
    test.each(promised)("$claim", ({ check }) => Effect.runPromise(Effect.provide(check, layer)))
  })
}

/**
 * `layer` makes a new and empty backend each time it is built. It is checked as it is, and with and
 * without what requests and declarations leave to it.
 */
export const suite = <E>(name: string, layer: Layer.Layer<Storage | Usage, E>): void => {
  runAll(name, claims, layer)
  for (const [how, variant] of Object.entries(variantsOf(layer)))
    runAll(`${name} ${how}`, claims, variant)
}

type Capability = Exclude<keyof DirectPort, "read" | "write">

/** Each is left out on its own, and then all at once. */
const CAPABILITIES: ReadonlyArray<ReadonlyArray<Capability>> = [
  ["submit"],
  ["dataVersion"],
  ["withSharedSnapshot", "endSharedSnapshot"],
  ["submit", "dataVersion", "withSharedSnapshot", "endSharedSnapshot"]
]

const without = <R, E>(
  layer: Layer.Layer<DirectStorage | R, E>,
  left: ReadonlyArray<Capability>
): Layer.Layer<DirectStorage | R, E> =>
  Layer.map(layer, (ports) => {
    const port: { -readonly [Method in keyof DirectPort]: DirectPort[Method] } = {
      ...Context.unsafeGet(ports, DirectStorage)
    }
    for (const capability of left) delete port[capability]
    return Context.add(ports, DirectStorage, port)
  })

/**
 * The same for a synchronous backend with `dataVersion`: with all of its capabilities, and without
 * each and all of them.
 */
export const directSuite = <E>(
  name: string,
  layer: Layer.Layer<DirectStorage | Usage, E>
): void => {
  runAll(name, [...directClaims, ...dataVersionClaims], layer)
  for (const left of CAPABILITIES) {
    const promised = left.includes("dataVersion")
      ? directClaims
      : [...directClaims, ...dataVersionClaims]
    runAll(`${name} without ${left.join(" and ")}`, promised, without(layer, left))
  }
}
