/**
 * Resolves names to public addresses. The connection is made to the address that was checked:
 * nothing is resolved twice.
 */
import { type LookupAddress, type LookupOptions, lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { isPublicAddress } from "@petstore/core/adapter"

/** A name has no public address. The message names none: whoever chose the name may read it. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress"
  constructor() {
    super("the host leads to a private address, which messages are not sent to")
  }
}

type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: Array<LookupAddress>) => void
) => void

/**
 * For the `lookup` option of a connection. Skips addresses that are not public. `resolve` is the
 * system's resolver except in tests.
 */
export const publicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, "")
      const allowed = addresses.filter(({ address }) => isPublicAddress(address))
      const [first] = allowed
      if (first === undefined) return done(new ForbiddenAddress(), "")
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family)
    })
