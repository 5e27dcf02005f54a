/** Checks version, media type, stability and sunset of a request. */
import type { Operation } from "../compile/Operation.js"
import {
  NotAcceptable,
  OptInRequired,
  PastSunset,
  type Refusal,
  UnsupportedVersion
} from "../contract/errors.js"
import { accepted } from "../fields/Accept.js"
import type { Exchange } from "../exchange/Exchange.js"

/** The major version of this service. Minor and patch versions make no difference. */
const SUPPORTED = /^1(\.\d{1,9}){0,2}$/

const JSON_TYPES = "application/json, application/problem+json"
const EVENTS = "text/event-stream"

export const unservable = (
  { incoming, settings, nowMs }: Exchange,
  operation: Operation
): Refusal | undefined => {
  const version = incoming.header("x-api-version")
  if (version !== undefined && !SUPPORTED.test(version))
    return new UnsupportedVersion({ got: version })
  const { stability, lifecycle, handler } = operation
  const accept = incoming.header("accept")
  if (accept !== undefined && !accepted(accept)[handler === undefined ? "events" : "any"])
    return new NotAcceptable({ got: accept, types: handler === undefined ? EVENTS : JSON_TYPES })
  if (
    stability === "experimental" &&
    !settings.experimental &&
    incoming.header("x-stability-opt-in")?.toLowerCase() !== "experimental"
  ) {
    return new OptInRequired()
  }
  return lifecycle !== undefined &&
    settings.afterSunset === "enforce" &&
    nowMs >= lifecycle.sunsetMs
    ? new PastSunset({ successor: lifecycle.successor })
    : undefined
}
