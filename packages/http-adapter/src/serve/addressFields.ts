/** The fields that every response has (SPEC.md §8), for answers that are given before there is a request. */
import type { Engine } from "@petstore/core"
import { rateHeaders } from "../fields/rateHeaders.js"
import { requestIds } from "../exchange/requestId.js"

/** Names and values in turns; counts nothing. The limits are those of the address, as nobody else is known. */
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
