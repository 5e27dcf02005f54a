/** Resolves names to addresses that may be connected to. The connection is made to what was checked: nothing is resolved twice. */
import { type LookupAddress, type LookupOptions, lookup } from "node:dns"
import type { LookupFunction } from "node:net"
import { isPublicAddress } from "@petstore/core"

/** A name leads only to addresses that are not anybody's. The message names no address: it may be shown to who chose the name. */
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
 * For the `lookup` option of a connection. Of several addresses only the public ones are used. `resolve` is the system's unless a test
 * has another.
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
