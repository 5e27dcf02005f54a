/** How a store is served. Everything has a default that can face a network. */
import { MAX_DEPTH } from "../json/StrictJson.js"
import type { MaybePromise } from "@petstore/core"
import type { OperationId } from "../contract/OperationId.js"
import type * as Tracer from "effect/Tracer"
import type { LifecyclePlan } from "../contract/Lifecycle.js"
import type { Reporter } from "./RequestReport.js"

/** How the store is served, whatever the server. */
export type ServiceOptions = {
  /**
   * A path that stands before every path of the API, such as `/v1`; none unless given. Where a host mounts the handler at a
   * sub-path, it is that path, also where the host cuts it off as Express does: links in answers need it.
   */
  readonly basePath?: string
  /** The largest body that is read; 1 MiB unless given. */
  readonly maxBodyBytes?: number
  /** How deeply a JSON body may be nested; 32 unless given, and at most 1,000. */
  readonly maxJsonDepth?: number
  /** The longest request target, path and query, in bytes; 8 KiB unless given. */
  readonly maxTargetBytes?: number
  /** Whether PUT, PATCH and DELETE of a record need `If-Match`, or `If-None-Match: *`; 428 without. No unless given. */
  readonly requireConditions?: boolean
  /** Origins whose pages may call the service from a browser, or `*` for all; none unless given. */
  readonly cors?: string | ReadonlyArray<string>
  /** How many proxies stand before the server, each adding to `X-Forwarded-For`; 0 unless given, and then it is ignored. */
  readonly trustProxy?: number
  /** Serves experimental operations to everyone, opted in or not. */
  readonly experimental?: boolean
  /** How event streams are kept. */
  readonly events?: EventOptions
  /** Whether an operation past its sunset is still answered (`announce`, the default) or refused with 410 (`enforce`). */
  readonly afterSunset?: "announce" | "enforce"
  /** Other dates than the contract's, by operation; undefined takes an operation's deprecation back. */
  readonly lifecycles?: { readonly [Id in OperationId]?: LifecyclePlan | undefined }
  /** Whether `/health/ready` says yes; yes unless given. */
  readonly isReady?: () => boolean
  /** Told of every request when it is over; what it throws is ignored. Without it nothing is measured for it. */
  readonly onRequest?: Reporter
  /** Whether requests are counted, and `/metrics` says how many; yes unless given. */
  readonly metrics?: boolean
  /**
   * Where several processes serve as one: called once with what this one has counted, as a function, and answers with what
   * `/metrics` says. It says what this process has counted unless given; where this fails, it is 500.
   */
  readonly gatherMetrics?: (own: () => string) => () => MaybePromise<string>
  /** Makes a span of every request, named by its operation; none unless given. */
  readonly tracer?: Tracer.Tracer
  /** Told of every failure that callers see as 500, 503 or 507, with its cause. What it throws is ignored. */
  readonly onError?: (cause: unknown, request: FailedRequest) => void
}

/** How many event streams there may be, and how they live; times in milliseconds. */
export type EventOptions = {
  /**
   * A stream shows a sign of life at least this often, and a caller whose key ends loses its streams
   * within this time; 5 s unless given. It has to be below the idle timeouts of runtimes and proxies:
   * that of `Bun.serve` is 10 s, and fires up to 2 s early.
   */
  readonly heartbeatMs?: number
  /** A reader that has not taken what waits for it for so long is dropped; 30 s unless given. */
  readonly stallMs?: number
  /** How soon readers are asked to come back when a stream ends, up to half as long again to spread them; 2 s unless given. */
  readonly retryMs?: number
  /** The most streams at once; 5,000 unless given. One more is refused with 503. */
  readonly maxStreams?: number
  /** The most streams at once of one account; 100 unless given. One more is refused with 429. */
  readonly maxStreamsPerAccount?: number
}

/**
 * The host's own way to know callers: the id of the account that a request is from, at once or in time. Undefined leaves it to the API
 * key. Asked once for every request to the API, also for those that have no route. When it throws or rejects, the request is
 * answered 500 and `onError` is told.
 */
export type Identify<HostRequest> = (request: HostRequest) => MaybePromise<number | undefined>

/** Which request a failure belongs to, without anything that is secret in it. */
export type FailedRequest = { readonly requestId: string; readonly operation: OperationId | undefined }

/** The options with every default filled in. */
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

/** Throws for a base path that could not be matched or written into a header. */
export const settingsOf = (options: ServiceOptions): Settings => {
  const { basePath = "" } = options
  if (!BASE_PATH.test(basePath)) {
    throw new Error(
      `basePath: expected a path such as /v1, with no slash at its end, got ${JSON.stringify(basePath)}`
    )
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
