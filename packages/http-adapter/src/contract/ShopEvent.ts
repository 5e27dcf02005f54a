/** What callers are told of a change: what the feed tells, without what is for the process alone. */
import type { Change, Resync } from "@petstore/core"

type InProcess = "before" | "accountId" | "requestId"

type Told<C> = C extends unknown ? Omit<C, InProcess> : never

/** One change of one record; `type` tells which kind `record` is of. Once it is deleted there is none. */
export type ShopChange = Told<Change>

/** A change, or `resync` in place of changes that can't be told any more: load the shop anew, and go on after its sequence. */
export type ShopEvent = ShopChange | Resync
