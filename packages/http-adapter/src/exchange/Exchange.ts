/** One request on its way through the service, with everything that was decided about it so far. */
import type { Admission, Caller } from "@petstore/core/adapter"
import type { Operation } from "../compile/Operation.js"
import type { ErrorCode } from "../contract/ErrorStatus.js"
import type { Answer, Incoming, Reply } from "./Incoming.js"
import type { Settings } from "./Options.js"

export type Exchange = {
  readonly settings: Settings
  readonly incoming: Incoming
  readonly reply: Reply
  readonly nowMs: number
  readonly requestId: string
  /** The caller's limits; undefined until the authenticator has decided. */
  standing: Pick<Admission, "limits" | "rate"> | undefined
  /** Undefined until the authenticator has admitted the caller. */
  caller: Caller | undefined
  /** The path template of the route: `/pets/{petId}`. */
  readonly route: string | undefined
  /** Undefined where no operation has this path and method. */
  readonly operation: Operation | undefined
  /** The text of the path parameter. */
  readonly parameter: string
  /** The id that the path parameter was decoded to. */
  id: number | undefined
  /** Whether this is the stored answer to an earlier attempt. */
  replayed: boolean
  /** The code and the cause of an error. */
  code: ErrorCode | undefined
  cause: unknown
  /** Undefined if requests are not observed. */
  readonly observer: Observer | undefined
  /** When the request came, by the monotonic clock; 0 without an observer. */
  readonly startedMs: number
  /** Set with the answer, so that no request is answered twice. */
  answered: boolean
}

/** Reports requests to the host's hook, the metrics and the tracer. */
export type Observer = {
  /** Sends the answer and reports the request. */
  readonly reply: (exchange: Exchange, answer: Answer) => void
  /** Reports a request whose caller disconnected, or was cut off, before all of it had arrived. */
  readonly gone: (exchange: Exchange, outcome: "vanished" | "cut") => void
  /** Returns a reply that reports a request to one of the built-in routes. */
  readonly builtinRoute: (incoming: Incoming, route: string, timeMs: number, reply: Reply) => Reply
}
