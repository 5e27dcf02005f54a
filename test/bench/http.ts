/**
 * `npm run bench`: the pet store over HTTP beside the same service written by hand on bare node:http, Fastify, Express, Hono, and on
 * HttpApiBuilder. Servers run on one core and the load on another where `taskset` is there; rounds are interleaved, figures are medians.
 * `--quick` for shorter rounds and fewer peers, `--only TEXT` for the work whose name has it, `--json` for programs.
 */
import { parseArgs } from "node:util"
import { pinLoad } from "./http/cores.js"
import { type Figures, measure } from "./http/measure.js"
import { CONNECTIONS, titleOf, WORKS } from "./http/works.js"
import { PEERS_OVER, type PeerName } from "./peers/Peer.js"

const { values: asked } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    only: { type: "string", default: "" }
  }
})

const rounds = asked.quick
  ? { count: 3, seconds: 0.25, warmUpSeconds: 0.4 }
  : { count: 7, seconds: 1, warmUpSeconds: 1.5 }

/** Those that no target is about: a quick run does without them. */
const SLOW: ReadonlySet<PeerName> = new Set(["express", "hono"])

const progress = (text: string): void => {
  process.stderr.write(text)
}

const only = asked.only.toLowerCase()
const works = WORKS.filter((work) => titleOf(work).toLowerCase().includes(only))
if (works.length === 0) {
  console.error(`no such work; there are:\n${WORKS.map(titleOf).join("\n")}`)
  process.exit(2)
}

const cores = pinLoad()
const figures: Array<Figures> = []
for (const work of works) {
  const peers = PEERS_OVER[work.storage].filter((peer) => !asked.quick || !SLOW.has(peer))
  figures.push(...(await measure(work, peers, rounds, cores?.server, progress)))
}

const fixed = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? "?"

if (asked.json) console.log(JSON.stringify({ node: process.version, cores, rounds, figures }))
else {
  console.log(
    `Node ${process.version}, ${CONNECTIONS} connections, ${rounds.count} rounds of ${rounds.seconds} s, ${cores === undefined ? "not pinned" : "server and load on a core each"}`
  )
  console.table(
    figures.map((each) => ({
      work: each.work,
      server: each.server,
      "requests/s": Math.round(each.requestsPerSecond.median),
      "petstore ÷ it": each.ratio.median.toFixed(2),
      "from–to": `${each.ratio.least.toFixed(2)}–${each.ratio.greatest.toFixed(2)}`,
      "µs CPU": fixed(each.cpuMicros, 1),
      "p50 ms": each.p50Ms.toFixed(2),
      "p99 ms": each.p99Ms.toFixed(2),
      "its p99 ÷": each.p99Ratio.median.toFixed(2),
      "MB idle": fixed(each.idleMb, 0),
      "MB after": fixed(each.loadedMb, 0),
      "load CPU": each.loadCpu.toFixed(2)
    }))
  )
}
