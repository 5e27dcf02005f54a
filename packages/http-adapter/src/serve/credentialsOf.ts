/** The credentials of a request, as the authenticator takes them. */
import type { Presented } from "@petstore/core/adapter"
import type { Incoming } from "../exchange/Incoming.js"

export const credentialsOf = (incoming: Incoming): Presented => ({
  apiKey: incoming.values("x-api-key"),
  authorization: incoming.values("authorization"),
  address: incoming.address
})
