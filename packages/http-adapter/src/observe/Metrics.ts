/** Counts requests and writes the counts in the text format of Prometheus, version 0.0.4. */
import { ERROR_STATUS } from "../contract/ErrorStatus.js"
import type { KeyBanned } from "@petstore/core"
import type { RequestReport } from "../exchange/RequestReport.js"

/** Upper bounds of the latency histogram, in seconds. */
const BOUNDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
] as const

/** A number that the host adds to the metrics, with its present value. */
export type Gauge = {
  readonly name: string
  readonly type: "gauge" | "counter"
  readonly help: string
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

class Latency {
  readonly buckets = new Float64Array(BOUNDS.length + 1)
  sumSeconds = 0
  count = 0

  add(seconds: number): void {
    let at = 0
    while (at < BOUNDS.length && seconds > (BOUNDS[at] ?? 0)) at++
    this.buckets[at] = (this.buckets[at] ?? 0) + 1
    this.sumSeconds += seconds
    this.count++
  }
}

class OperationCounts {
  readonly byStatus = new Map<number, number>()
  readonly latency = new Latency()
}

/**
 * The decision of the authenticator by the code of the answer. Requests it let in are `admitted`.
 */
const DECISIONS: Readonly<Record<string, string>> = {
  rate_limited: "rate_limited",
  key_banned: "banned",
  missing_key: "unauthenticated",
  invalid_key: "unauthenticated",
  expired_key: "unauthenticated",
  revoked_key: "unauthenticated",
  key_disabled: "disabled"
}

/** The status that nginx logs for a caller that disconnected before it was answered. */
const VANISHED = 499

/** A ban is counted once, by the time it ends. Beyond this number the oldest are forgotten. */
const MAX_BANS = 10_000

const bump = <K>(counts: Map<K, number>, key: K, by = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

const escape = (text: string): string =>
  text.replace(/[\\"\n]/g, (each) => (each === "\n" ? "\\n" : `\\${each}`))

const labelText = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

export class Metrics {
  readonly #operations = new Map<string, OperationCounts>()
  readonly #decisions = new Map<string, number>()
  readonly #bans = new Set<number>()
  #banCount = 0
  #vanished = 0
  readonly #storage = { read: new Latency(), write: new Latency() }
  /** Operations whose storage has not answered yet. */
  readonly waiting = { read: 0, write: 0 }

  /** Counts a request that is over. */
  readonly request = ({
    operation,
    status,
    code,
    durationMs,
    accountId,
    outcome,
    requestId
  }: RequestReport): void => {
    const name = operation ?? (requestId === "" ? "outside" : "none")
    let counts = this.#operations.get(name)
    if (counts === undefined) this.#operations.set(name, (counts = new OperationCounts()))
    bump(counts.byStatus, status ?? (outcome === "cut" ? ERROR_STATUS.request_timeout : VANISHED))
    counts.latency.add(durationMs / 1_000)
    if (outcome === "vanished") this.#vanished++
    const decision =
      accountId === undefined ? (code === undefined ? undefined : DECISIONS[code]) : "admitted"
    if (decision !== undefined) bump(this.#decisions, decision)
  }

  /** Counts an answer of the storage. */
  stored(kind: "read" | "write", ms: number): void {
    this.#storage[kind].add(ms / 1_000)
  }

  /** Counts a refusal by a ban as a new ban unless one with the same end was counted before. */
  banned({ untilMs }: KeyBanned): void {
    if (this.#bans.has(untilMs)) return
    if (this.#bans.size >= MAX_BANS)
      for (const oldest of this.#bans) if (this.#bans.delete(oldest)) break
    this.#bans.add(untilMs)
    this.#banCount++
  }

  text(gauges: ReadonlyArray<Gauge>): string {
    const lines: Array<string> = []
    const family = (name: string, type: string, help: string) =>
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
    const sample = (name: string, labels: Readonly<Record<string, string>>, value: number) =>
      lines.push(`${name}${labelText(labels)} ${value}`)
    const histogram = (
      name: string,
      labels: Readonly<Record<string, string>>,
      latency: Latency
    ) => {
      let below = 0
      for (const [at, bound] of BOUNDS.entries()) {
        below += latency.buckets[at] ?? 0
        sample(`${name}_bucket`, { ...labels, le: String(bound) }, below)
      }
      sample(`${name}_bucket`, { ...labels, le: "+Inf" }, latency.count)
      sample(`${name}_sum`, labels, latency.sumSeconds)
      sample(`${name}_count`, labels, latency.count)
    }

    family(
      "petstore_requests_total",
      "counter",
      "Requests by operation and status; 499 is a caller that vanished."
    )
    for (const [operation, { byStatus }] of this.#operations) {
      for (const [status, count] of byStatus)
        sample("petstore_requests_total", { operation, status: String(status) }, count)
    }
    family(
      "petstore_request_duration_seconds",
      "histogram",
      "From the header fields to the answer, by operation."
    )
    for (const [operation, { latency }] of this.#operations)
      histogram("petstore_request_duration_seconds", { operation }, latency)
    family("petstore_limiter_decisions_total", "counter", "What became of requests at the gate.")
    for (const [decision, count] of this.#decisions)
      sample("petstore_limiter_decisions_total", { decision }, count)
    family(
      "petstore_bans_total",
      "counter",
      "Bans that this process has refused a request by, each counted once."
    )
    sample("petstore_bans_total", {}, this.#banCount)
    family(
      "petstore_callers_vanished_total",
      "counter",
      "Requests whose caller was gone before the answer."
    )
    sample("petstore_callers_vanished_total", {}, this.#vanished)
    family(
      "petstore_storage_duration_seconds",
      "histogram",
      "From asking the storage to its answer, the wait for a turn included."
    )
    for (const kind of ["read", "write"] as const)
      histogram("petstore_storage_duration_seconds", { kind }, this.#storage[kind])
    family(
      "petstore_storage_waiting",
      "gauge",
      "Operations whose storage has not answered yet: the write queue."
    )
    for (const kind of ["read", "write"] as const)
      sample("petstore_storage_waiting", { kind }, this.waiting[kind])
    let last = ""
    for (const { name, type, help, value, labels = {} } of gauges) {
      if (name !== last) family(name, type, help)
      last = name
      sample(name, labels, value)
    }
    return `${lines.join("\n")}\n`
  }
}
