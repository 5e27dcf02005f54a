/**
 * The source of random bytes. A reference rather than a service: unless it is provided, it is that
 * of the platform.
 */
import * as Context from "effect/Context"

/**
 * Web Crypto, which every platform has as a global. Declared here because core is independent of
 * platforms.
 */
declare const crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array }

/**
 * `randomBytes(n)` returns n unpredictable bytes, n up to 65,536. Test engines provide a
 * predictable source.
 */
export class Entropy extends Context.Reference<Entropy>()("@petstore/core/Entropy", {
  defaultValue: () => ({
    randomBytes: (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))
  })
}) {}
