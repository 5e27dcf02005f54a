/** The fields of every response (SPEC.md §8), for answers that are given without a request. */
import type { Engine } from "@petstore/core/adapter"
import { rateHeaders } from "../fields/rateHeaders.js"
import { requestIds } from "../exchange/requestId.js"

/** Alternating names and values. The limits are those of the address. Counts nothing. */
export const addressFields = ({
  authenticator,
  nowMs,
  randomBytes
}: Pick<Engine, "authenticator" | "nowMs" | "randomBytes">) => {
  const requestIdOf = requestIds(randomBytes)
  return (address: string): ReadonlyArray<string> => {
    const now = nowMs()
    return [
      ...rateHeaders(authenticator.addressStanding(address, now), now),
      "X-Request-Id",
      requestIdOf(undefined)
    ]
  }
}
