/** How a store is served. The defaults are safe on a public network. */
import { MAX_DEPTH } from "../json/StrictJson.js"
import type { MaybePromise } from "@petstore/core/adapter"
import type { OperationId } from "../contract/OperationId.js"
import type * as Tracer from "effect/Tracer"
import type { LifecyclePlan } from "../contract/Lifecycle.js"
import type { Reporter } from "./RequestReport.js"

/** How the store is served, whatever the server. */
export type ServiceOptions = {
  /**
   * The prefix of every path of the API, such as `/v1`; none unless given. A host that mounts the
   * handler at a sub-path gives that path, even if it strips the path from requests as Express
   * does: links in answers need it.
   */
  readonly basePath?: string
  /** The largest body that is read; 1 MiB unless given. */
  readonly maxBodyBytes?: number
  /** How deeply a JSON body may be nested; 32 unless given, and at most 1,000. */
  readonly maxJsonDepth?: number
  /** The longest request target, path and query, in bytes; 8 KiB unless given. */
  readonly maxTargetBytes?: number
  /**
   * Whether PUT, PATCH and DELETE of a record without `If-Match` or `If-None-Match: *` are refused
   * with 428; no unless given.
   */
  readonly requireConditions?: boolean
  /** The origins whose pages may call the service, or `*` for all; none unless given. */
  readonly cors?: string | ReadonlyArray<string>
  /**
   * How many trusted proxies add to `X-Forwarded-For` before the server; 0 unless given, and then
   * the field is ignored.
   */
  readonly trustProxy?: number
  /** Serves experimental operations without an opt-in. */
  readonly experimental?: boolean
  /** Bounds and times of event streams. */
  readonly events?: EventOptions
  /**
   * Whether an operation past its sunset is still served (`announce`, the default) or refused with
   * 410 (`enforce`).
   */
  readonly afterSunset?: "announce" | "enforce"
  /** Replaces the contract's dates by operation; undefined removes a deprecation. */
  readonly lifecycles?: { readonly [Id in OperationId]?: LifecyclePlan | undefined }
  /** Whether `/health/ready` answers 200; yes unless given. */
  readonly isReady?: () => boolean
  /** Called after every request. What it throws is ignored. */
  readonly onRequest?: Reporter
  /** Whether requests are counted and `/metrics` is served; yes unless given. */
  readonly metrics?: boolean
  /**
   * For several processes that serve as one: called once with a function that returns the metrics
   * of this process, it returns one for those of all. `/metrics` answers 500 where that fails.
   */
  readonly gatherMetrics?: (own: () => string) => () => MaybePromise<string>
  /** Makes a span for every request, named by its operation; none unless given. */
  readonly tracer?: Tracer.Tracer
  /**
   * Called with the cause of every failure that is answered 500, 503 or 507. What it throws is
   * ignored.
   */
  readonly onError?: (cause: unknown, request: FailedRequest) => void
}

/** Bounds and times of event streams. */
export type EventOptions = {
  /**
   * A stream sends something at least this often, and a caller whose key ends loses its streams
   * within this time; 5 s unless given. It has to be below the idle timeouts of runtimes and
   * proxies: that of `Bun.serve` is 10 s and fires up to 2 s early.
   */
  readonly heartbeatMs?: number
  /** A reader that takes nothing for this time is dropped; 30 s unless given. */
  readonly stallMs?: number
  /**
   * How long readers wait before they reconnect, and up to half as long again to spread them; 2 s
   * unless given.
   */
  readonly retryMs?: number
  /** The most streams at once; 5,000 unless given. One more is refused with 503. */
  readonly maxStreams?: number
  /** The most streams at once of one account; 100 unless given. One more is refused with 429. */
  readonly maxStreamsPerAccount?: number
}

/**
 * Returns the id of the account that a request is from; undefined leaves that to the API key.
 * Called once for every request to the API, also for a path without a route. If it throws or
 * rejects, the request is answered 500 and `onError` is called.
 */
export type Identify<HostRequest> = (request: HostRequest) => MaybePromise<number | undefined>

/** The request that failed, without secrets. */
export type FailedRequest = {
  readonly requestId: string
  readonly operation: OperationId | undefined
}

/** The options with their defaults. */
export type Settings = Required<Omit<ServiceOptions, "events" | "onRequest" | "tracer">> &
  Pick<ServiceOptions, "onRequest" | "tracer"> & { readonly events: Required<EventOptions> }

const DEFAULT_EVENTS: Required<EventOptions> = {
  heartbeatMs: 5_000,
  stallMs: 30_000,
  retryMs: 2_000,
  maxStreams: 5_000,
  maxStreamsPerAccount: 100
}

const BASE_PATH = /^(\/[A-Za-z0-9._~-]+)*$/

/** Throws for a base path that does not fit into a path or a header field. */
export const settingsOf = (options: ServiceOptions): Settings => {
  const { basePath = "" } = options
  if (!BASE_PATH.test(basePath)) {
    const got = JSON.stringify(basePath)
    throw new Error(`basePath: expected a path such as /v1, with no slash at its end, got ${got}`)
  }
  return {
    basePath,
    maxBodyBytes: options.maxBodyBytes ?? 1_048_576,
    maxJsonDepth: Math.min(options.maxJsonDepth ?? MAX_DEPTH, 1_000),
    maxTargetBytes: options.maxTargetBytes ?? 8_192,
    requireConditions: options.requireConditions ?? false,
    cors: options.cors ?? [],
    trustProxy: options.trustProxy ?? 0,
    experimental: options.experimental ?? false,
    events: { ...DEFAULT_EVENTS, ...options.events },
    afterSunset: options.afterSunset ?? "announce",
    lifecycles: options.lifecycles ?? {},
    isReady: options.isReady ?? (() => true),
    metrics: options.metrics ?? true,
    gatherMetrics: options.gatherMetrics ?? ((own) => own),
    ...(options.onRequest === undefined ? {} : { onRequest: options.onRequest }),
    ...(options.tracer === undefined ? {} : { tracer: options.tracer }),
    onError: options.onError ?? (() => undefined)
  }
}
