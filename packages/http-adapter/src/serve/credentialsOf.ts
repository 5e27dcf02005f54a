/** The credentials of a request, as the authenticator takes them. */
import type { PresentedCredentials } from "@petstore/core/adapter"
import type { Incoming } from "../exchange/Incoming.js"

export const credentialsOf = (incoming: Incoming): PresentedCredentials => ({
  apiKey: incoming.values("x-api-key"),
  authorization: incoming.values("authorization"),
  address: incoming.address
})
