/**
 * Options of `petstore serve`: the limits of requests, and the dates of the deprecated operation.
 */
import * as Options from "@effect/cli/Options"
import { duration, instant, optional, wholeNumber } from "../terminal/options.js"

export const limitOptions = {
  maxBodyBytes: wholeNumber("max-body-bytes", 1, 2 ** 30).pipe(
    Options.withDescription("The most bytes of a request body; 1048576 unless given"),
    Options.withDefault(1_048_576)
  ),
  headersTimeoutMs: duration("headers-timeout").pipe(
    Options.withDescription("The time limit for the header fields of a request; 10s unless given"),
    Options.withDefault(10_000)
  ),
  requestTimeoutMs: duration("request-timeout").pipe(
    Options.withDescription("The time limit for a whole request; 30s unless given"),
    Options.withDefault(30_000)
  ),
  keepAliveTimeoutMs: duration("keep-alive").pipe(
    Options.withDescription("How long an idle connection stays open; 30s unless given"),
    Options.withDefault(30_000)
  ),
  closeTimeoutMs: duration("close-timeout").pipe(
    Options.withDescription("How long running requests may take after SIGTERM; 5s unless given"),
    Options.withDefault(5_000)
  )
}

export const lifecycleOptions = {
  deprecatedMs: instant("deprecated").pipe(
    Options.withDescription("When GET /pets/{petId} becomes deprecated; 2026-12-01 unless given"),
    optional
  ),
  sunsetMs: instant("sunset").pipe(
    Options.withDescription("The sunset of GET /pets/{petId}; 2027-12-01 unless given"),
    optional
  ),
  lifecycle: Options.choice("lifecycle", ["announce", "enforce"]).pipe(
    Options.withPseudoName("HOW"),
    Options.withDescription(
      "Whether it is still answered after its sunset (announce, unless given) or gone with " +
        "410 (enforce)"
    ),
    Options.withDefault("announce" as const)
  )
}
