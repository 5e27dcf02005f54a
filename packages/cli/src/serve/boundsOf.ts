/** What a caller may send to a server and how long it may take, as the command line has it. */
import type { ServeOptions } from "@petstore/http-adapter"

export type Bounds = Required<
  Pick<
    ServeOptions,
    "maxBodyBytes" | "headersTimeoutMs" | "requestTimeoutMs" | "keepAliveTimeoutMs" | "closeTimeoutMs"
  >
>

/** Those of the options of `serve`. */
export const boundsOf = ({
  maxBodyBytes,
  headersTimeoutMs,
  requestTimeoutMs,
  keepAliveTimeoutMs,
  closeTimeoutMs
}: Bounds): Bounds => ({
  maxBodyBytes,
  headersTimeoutMs,
  requestTimeoutMs,
  keepAliveTimeoutMs,
  closeTimeoutMs
})
