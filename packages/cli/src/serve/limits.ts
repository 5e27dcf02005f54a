/**
 * Options of `petstore serve`: the limits of requests, and the dates of the deprecated operation.
 */
import * as Options from "@effect/cli/Options"
import { duration, instant, optional, wholeNumber } from "../terminal/options.js"

export const limitOptions = {
  maxBodyBytes: wholeNumber("max-body-bytes", 1, 2 ** 30).pipe(
    Options.withDescription("The largest body that is read; 1048576 unless given"),
    Options.withDefault(1_048_576)
  ),
  headersTimeoutMs: duration("headers-timeout").pipe(
    Options.withDescription("For how long a caller may take to send the header fields; 10s unless given"),
    Options.withDefault(10_000)
  ),
  requestTimeoutMs: duration("request-timeout").pipe(
    Options.withDescription("For how long a caller may take to send a whole request; 30s unless given"),
    Options.withDefault(30_000)
  ),
  keepAliveTimeoutMs: duration("keep-alive").pipe(
    Options.withDescription("For how long a connection is kept between requests; 30s unless given"),
    Options.withDefault(30_000)
  ),
  closeTimeoutMs: duration("close-timeout").pipe(
    Options.withDescription(
      "For how long requests that are under way may go on after SIGTERM; 5s unless given"
    ),
    Options.withDefault(5_000)
  )
}

export const lifecycleOptions = {
  deprecatedMs: instant("deprecated").pipe(
    Options.withDescription("From when on GET /pets/{petId} is deprecated; 2026-12-01 unless given"),
    optional
  ),
  sunsetMs: instant("sunset").pipe(
    Options.withDescription("When GET /pets/{petId} is announced to go; 2027-12-01 unless given"),
    optional
  ),
  lifecycle: Options.choice("lifecycle", ["announce", "enforce"]).pipe(
    Options.withPseudoName("HOW"),
    Options.withDescription(
      "What becomes of it after that date: announce, unless given, and it is answered still; enforce, and it is gone (410)"
    ),
    Options.withDefault("announce" as const)
  )
}
