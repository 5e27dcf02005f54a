/** Events as callers see them: changes of the feed without their internal members. */
import type { Change, Resync } from "@petstore/core"

type InternalMember = "before" | "accountId" | "requestId"

type Public<C> = C extends unknown ? Omit<C, InternalMember> : never

/** A change of a record; `type` decides the kind of `record`. A deletion has no `record`. */
export type ShopChange = Public<Change>

/**
 * A change, or a `resync` in place of changes that are no longer stored: load the shop again and go
 * on after its sequence.
 */
export type ShopEvent = ShopChange | Resync
