/**
 * Where random bytes come from. A reference rather than a service: without being provided, it is
 * the platform's own.
 */
import * as Context from "effect/Context"

/**
 * Web Crypto, which every platform has as a global; declared here because core knows no platform.
 */
declare const crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array }

/**
 * `randomBytes(n)` gives n bytes nobody can foresee, n up to 65,536. Test engines provide a
 * foreseeable one.
 */
export class Entropy extends Context.Reference<Entropy>()("@petstore/core/Entropy", {
  defaultValue: () => ({
    randomBytes: (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))
  })
}) {}
