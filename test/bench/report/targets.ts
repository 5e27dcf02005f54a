/** What the project has set itself to reach, and whether a run did. */
import type { Spread } from "../http/statistics.js"
import { titleOf, WORKS } from "../http/works.js"
import { PEER_TITLES, PEERS_OVER, type PeerName } from "../peers/Peer.js"
import type { Report } from "./Report.js"

export type Judged = {
  readonly what: string
  readonly target: string
  readonly measured: string
  /** Undefined where the run did not measure it. */
  readonly reached: boolean | undefined
}

/** A bound, and how its unit is written. */
type Bound = {
  readonly atLeast?: number
  readonly atMost?: number
  readonly show: (value: number) => string
}

const judge = (
  what: string,
  { atLeast, atMost, show }: Bound,
  found: Spread | number | undefined
): Judged => {
  const target = atLeast === undefined ? `≤ ${show(atMost ?? Number.NaN)}` : `≥ ${show(atLeast)}`
  if (found === undefined) return { what, target, measured: "not measured", reached: undefined }
  const value = typeof found === "number" ? found : found.median
  const reached =
    value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY)
  const range =
    typeof found === "number" ? "" : ` (${show(found.least)} to ${show(found.greatest)})`
  return { what, target, measured: `${show(value)}${range}`, reached }
}

const times = (value: number): string => `${value.toFixed(2)} ×`
const unit =
  (name: string, digits = 0) =>
  (value: number): string =>
    `${value.toFixed(digits)} ${name}`
const rate = (value: number): string => `${Math.round(value).toLocaleString("en")} pets/s`

/** How many times as many requests a second as a peer each work must come to. */
const RATIOS: ReadonlyArray<readonly [work: string, peer: PeerName, atLeast: number]> = [
  ["GET /pets/{petId}, memory", "fastify", 1.5],
  ["GET /pets/{petId}, memory", "bare", 0.85],
  ["POST /pets, memory", "fastify", 1.15],
  ["POST /pets, memory", "bare", 0.75],
  ["GET /pets/{petId}, file", "fastify", 1.4],
  ["GET /pets?status=available&limit=50, file", "fastify", 1.3],
  ["POST /store/orders, file, 64 connections", "fastify", 2.8],
  ["POST /store/orders, file, 1 connection", "fastify", 0.85]
]

/**
 * Where a sync takes a millisecond or more, the group commit saves more of the time of an order,
 * and its floor is higher.
 */
const SLOW_SYNC_MS = 1
const SLOW_SYNC_RATIOS: Readonly<Record<string, number>> = {
  "POST /store/orders, file, 64 connections": 4
}

const overHttp = ({ figures, syncMs }: Report): ReadonlyArray<Judged> => {
  const of = (work: string, peer: PeerName) =>
    figures.find((each) => each.work === work && each.server === peer)
  const isSlow = syncMs !== undefined && syncMs >= SLOW_SYNC_MS
  const faster = RATIOS.map(([work, peer, floor]) => {
    const found = of(work, peer)?.ratio
    const atLeast = (isSlow ? SLOW_SYNC_RATIOS[work] : undefined) ?? floor
    return judge(`${work}: × ${PEER_TITLES[peer]}`, { atLeast, show: times }, found)
  })
  const held = [...new Set(RATIOS.map(([work]) => work))].map((work) => {
    // That of the peer is divided by ours, so that ours is the worse one below 1.
    const found = of(work, "fastify")?.p99Ratio
    return judge(`${work}: p99 of Fastify ÷ ours`, { atLeast: 1, show: times }, found)
  })
  const builder = WORKS.filter(({ storage }) => PEERS_OVER[storage].includes("httpapi")).map(
    (work) => {
      const found = of(titleOf(work), "httpapi")?.ratio
      return judge(`${titleOf(work)}: × HttpApiBuilder`, { atLeast: 5, show: times }, found)
    }
  )
  return [...faster, ...held, ...builder]
}

const ofLibrary = ({ calls }: Report): ReadonlyArray<Judged> => [
  judge(
    "direct get over SQLite ÷ the bare statement",
    { atMost: 1.3, show: times },
    calls?.fileGetRatio
  ),
  judge(
    "direct create over SQLite, synced, from the 1,001st on ÷ the bare statement",
    { atMost: 1.5, show: times },
    calls?.fileCreateRatio
  ),
  judge(
    "direct create over SQLite, not synced ÷ the bare statement",
    { atMost: 1.5, show: times },
    calls?.fileCreateUnsyncedRatio
  ),
  judge(
    "direct get over memory, once compiled",
    { atMost: 0.5, show: unit("µs", 2) },
    calls?.memoryGetMicros
  ),
  judge(
    "direct create over memory, once compiled",
    { atMost: 3, show: unit("µs", 2) },
    calls?.memoryCreateMicros
  )
]

const MILLION = 1_000_000
/** A page that costs so many times what it costs in a store of a thousand still counts as flat. */
const FLAT = 1.5

const ofMany = (report: Report): ReadonlyArray<Judged> => {
  // Of fewer pets nothing is said about a million.
  const full = (storage: "memory" | "file") =>
    report[storage]?.pets === MILLION ? report[storage] : undefined
  const memory = full("memory")
  const file = full("file")
  return [
    judge("1,000,000 pets in memory", { atMost: 450, show: unit("MB") }, memory?.mb),
    judge("1,000,000 pets in a file", { atMost: 150, show: unit("MB") }, file?.mb),
    judge(
      "a page of 1,000,000 ÷ one of 1,000, memory",
      { atMost: FLAT, show: times },
      memory?.pageRatio
    ),
    judge(
      "a page of 1,000,000 ÷ one of 1,000, file",
      { atMost: FLAT, show: times },
      file?.pageRatio
    ),
    judge(
      "import through the library, memory",
      { atLeast: 100_000, show: rate },
      memory?.petsPerSecond
    ),
    judge("import through the library, file", { atLeast: 40_000, show: rate }, file?.petsPerSecond)
  ]
}

const ofStart = ({ start }: Report): ReadonlyArray<Judged> => [
  judge(
    "`petstore serve` to its first answer",
    { atMost: 1_200, show: unit("ms") },
    start?.firstAnswerMs
  ),
  judge("`petstore serve`, idle", { atMost: 90, show: unit("MB") }, start?.idleMb)
]

export const targetsOf = (report: Report): ReadonlyArray<Judged> => [
  ...overHttp(report),
  ...ofLibrary(report),
  ...ofMany(report),
  ...ofStart(report)
]
