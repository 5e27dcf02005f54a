/** What `petstore serve` was asked for. */
import type { Plan } from "@petstore/core"
import type { Bounds } from "./boundsOf.js"
import type { RetentionAsked } from "../store/retention.js"
import type { LifecycleAsked } from "./lifecycle.js"

export type ServeOptions = Bounds &
  LifecycleAsked &
  RetentionAsked & {
    readonly host: string
    readonly port: number
    /** The file; undefined for the default one. */
    readonly db: string | undefined
    /** Whether a file of an earlier version is brought up to date first. */
    readonly upgrade: boolean
    readonly memory: boolean
    readonly demo: boolean
    /** The plan of the key that is printed; undefined for the default one. */
    readonly demoPlan: Plan | undefined
    readonly basePath: string
    readonly trustProxy: number
    readonly experimental: boolean
    /** Origins whose pages may call from a browser. */
    readonly cors: ReadonlyArray<string>
    readonly requireConditions: boolean
    /** Whether only failures are logged. */
    readonly quiet: boolean
    readonly noMetrics: boolean
    /** Whether webhooks may be sent to over plain http, and to private addresses. */
    readonly allowHttpWebhooks: boolean
    readonly allowPrivateWebhooks: boolean
    /** The file with the secret that those of webhooks are made from; undefined for the one beside the store. */
    readonly webhookSecretFile: string | undefined
    /** How many processes serve; with 1 it is the one that was started. */
    readonly workers: number
  }
