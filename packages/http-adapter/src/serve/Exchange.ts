/** One request on its way through the service: what is known of it so far. */
import type { Admission, Caller } from "@petstore/core"
import type { Operation } from "../compile/Operation.js"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import type { Incoming, Reply } from "./Incoming.js"
import type { Observer } from "./Observer.js"
import type { Settings } from "./Options.js"

export type Exchange = {
  readonly settings: Settings
  readonly incoming: Incoming
  readonly reply: Reply
  readonly nowMs: number
  readonly requestId: string
  /** What the gate has said of the caller's limits; undefined until it has. */
  standing: Pick<Admission, "limits" | "rate"> | undefined
  /** Who asks, once the gate has let them in. */
  caller: Caller | undefined
  /** The path as it was routed: `/pets/{petId}`. */
  readonly route: string | undefined
  /** Undefined where no operation has this path and method. */
  readonly operation: Operation | undefined
  /** The text of the path parameter, then the id it was decoded to. */
  readonly parameter: string
  id: number | undefined
  /** Whether the answer is that to an earlier attempt. */
  replayed: boolean
  /** Of the answer, where it is an error, and why. */
  code: ErrorCode | undefined
  cause: unknown
  /** Who wants to know of its end, since when it runs, and until when its storage took; by a clock that is never set. */
  readonly observer: Observer | undefined
  readonly startedMs: number
  storedMs: number
  /** Set with the answer; nothing is answered twice. */
  answered: boolean
}
