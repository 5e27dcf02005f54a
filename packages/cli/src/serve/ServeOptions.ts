/** What `petstore serve` is given on the command line. */
import type { Plan } from "@petstore/core"
import type { ServeOptions as HttpOptions } from "@petstore/http-adapter"
import type { RetentionOptions } from "../store/retention.js"
import type { LifecycleOptions } from "./lifecycle.js"

/** The options that the HTTP server takes as they are. */
type ServerOptions = Required<
  Pick<
    HttpOptions,
    | "host"
    | "port"
    | "basePath"
    | "trustProxy"
    | "experimental"
    | "requireConditions"
    | "maxBodyBytes"
    | "headersTimeoutMs"
    | "requestTimeoutMs"
    | "keepAliveTimeoutMs"
    | "closeTimeoutMs"
  >
>

export type ServeOptions = ServerOptions &
  LifecycleOptions &
  RetentionOptions & {
    /** The file; undefined for the default one. */
    readonly db: string | undefined
    /** Whether a file of an earlier version is upgraded first. */
    readonly upgrade: boolean
    readonly memory: boolean
    readonly demo: boolean
    /** The plan of the key that is printed; undefined for the default one. */
    readonly demoPlan: Plan | undefined
    /** Origins whose pages may call from a browser. */
    readonly cors: ReadonlyArray<string>
    /** Whether only failures are logged. */
    readonly quiet: boolean
    readonly noMetrics: boolean
    /** Whether webhooks may use plain http, and private addresses. */
    readonly allowHttpWebhooks: boolean
    readonly allowPrivateWebhooks: boolean
    /** The file with the secret for webhooks; undefined for the one beside the store. */
    readonly webhookSecretFile: string | undefined
    /** How many processes serve. With 1 it is the process that was started. */
    readonly workers: number
  }
