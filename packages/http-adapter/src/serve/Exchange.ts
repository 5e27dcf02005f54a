/** One request on its way through the service: what is known of it so far. */
import type { Admission, Caller } from "@petstore/core"
import type { Operation } from "../compile/Operation.js"
import type { Answer, Incoming } from "./Incoming.js"
import type { Settings } from "./Options.js"

export type Exchange = {
  readonly settings: Settings
  readonly incoming: Incoming
  readonly reply: (answer: Answer) => void
  readonly nowMs: number
  readonly requestId: string
  /** What the gate has said of the caller's limits; undefined until it has. */
  standing: Pick<Admission, "limits" | "rate"> | undefined
  /** Who asks, once the gate has let them in. */
  caller: Caller | undefined
  /** Undefined where no operation has this path and method. */
  readonly operation: Operation | undefined
  /** The text of the path parameter, then the id it was decoded to. */
  readonly parameter: string
  id: number | undefined
  /** Whether the answer is that to an earlier attempt. */
  replayed: boolean
  /** Set with the answer; nothing is answered twice. */
  answered: boolean
}
