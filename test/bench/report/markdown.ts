/** A run as Markdown: what it was run on, what it was to reach, and every figure. */
import type { Figures } from "../http/measure.js"
import type { Spread } from "../http/statistics.js"
import { CONNECTIONS } from "../http/works.js"
import type { Many } from "../library/many.js"
import { PEER_TITLES, type PeerName } from "../peers/Peer.js"
import { machineText, type Report } from "./Report.js"
import { type Judged, targetsOf } from "./targets.js"

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), `|${"---|".repeat(head.length)}`, ...rows.map(row)].join("\n")

const count = (value: number): string => Math.round(value).toLocaleString("en")
const fixed = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? ""

/** A paragraph in lines of at most 100 columns. */
const wrapped = (paragraph: string): string => {
  const lines: Array<string> = []
  let line = ""
  for (const word of paragraph.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line !== "" && longer.length > 100) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line].join("\n")
}

/** The work with its request as code. */
const codeOf = (work: string): string => work.replace(/^(.*?), /, "`$1`, ")

/** The median, and from where to where the rounds went. */
const spreadText = ({ median, least, greatest }: Spread): string =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`

export const verdictOf = ({ reached }: Judged): string =>
  reached === undefined ? "" : reached ? "yes" : "**no**"

export const targetTable = (report: Report): string =>
  table(
    ["", "to reach", "measured", "reached"],
    targetsOf(report)
      .filter(({ reached }) => reached !== undefined)
      .map((each) => [each.what, each.target, each.measured, verdictOf(each)])
  )

const figuresRow = (each: Figures): ReadonlyArray<string> => [
  PEER_TITLES[each.server],
  count(each.requestsPerSecond.median),
  each.server === "petstore" ? "" : spreadText(each.ratio),
  fixed(each.cpuMicros, 1),
  each.server === "petstore" ? "" : fixed(each.cpuRatio, 2),
  fixed(each.p50Ms, 2),
  fixed(each.p99Ms, 2),
  fixed(each.idleMb, 0),
  fixed(each.loadedMb, 0)
]

const figuresTable = (figures: ReadonlyArray<Figures>): string =>
  table(
    [
      "",
      "requests/s",
      "pet store ÷ it",
      "CPU, µs",
      "its CPU ÷ the pet store's",
      "p50, ms",
      "p99, ms",
      "MB idle",
      "MB after"
    ],
    figures.map(figuresRow)
  )

const manyRow = (storage: string, many: Many): ReadonlyArray<string> => [
  `${count(many.pets)} pets, ${storage}`,
  count(many.petsPerSecond),
  fixed(many.mb, 0),
  fixed(many.residentMb, 0),
  fixed(many.pageMicros.median, 1),
  spreadText(many.pageRatio)
]

const manyTable = ({ memory, file }: Report): ReadonlyArray<string> => {
  const rows = [
    ...(memory === undefined ? [] : [manyRow("memory", memory)]),
    ...(file === undefined ? [] : [manyRow("file", file)])
  ]
  if (rows.length === 0) return []
  const head = [
    "",
    "imported, pets/s",
    "MB",
    "MB resident",
    "page of 50, µs",
    "÷ that of 1,000 pets"
  ]
  return [table(head, rows)]
}

/** What the calls cost that are made before any counts. */
const firstCallsText = ({ calls, cores }: Report): ReadonlyArray<string> => {
  if (calls === undefined) return []
  const inMemory = calls.memoryFirstCreateMicros.toFixed(1)
  const onFile = calls.fileFirstCreateRatio.median.toFixed(2)
  return [
    "Creates are measured once V8 has compiled them and the log of the file has its length. " +
      "In memory the first 10,000 of a process, while V8 does " +
      `so${cores === undefined ? "" : " on the same core"}, took ${inMemory} µs each; on a ` +
      `file, synced, the first thousand took ${onFile} times as long as the bare statement.`
  ]
}

/** How it was run, in a paragraph. */
export const runText = (report: Report): string => {
  const { date, machine, cores, syncMs, rounds, quick, figures } = report
  const busiest = Math.max(...figures.map(({ loadCpu }) => loadCpu))
  return [
    `One run of \`npm run bench${quick ? " -- --quick" : ""}\` on ${date}: ` +
      `${machineText(machine)};`,
    cores === undefined
      ? "nothing pinned to a core."
      : `servers on core ${cores.server}, the load on core ${cores.load}.`,
    ...(syncMs === undefined ? [] : [`A sync took ${syncMs.toFixed(2)} ms.`]),
    `${CONNECTIONS} connections unless said otherwise, ${rounds.count} interleaved rounds of ` +
      `${rounds.seconds} s after one that does not count;`,
    "medians, and in brackets the least and the greatest of the rounds.",
    ...(figures.length === 0
      ? []
      : [`The load took at most ${Math.round(busiest * 100)} % of its core.`])
  ].join(" ")
}

/** The targets and what was measured of the library, for docs/performance.md. */
export const pageText = (report: Report): string =>
  [
    wrapped(runText(report)),
    ...(report.figures.length === 0
      ? []
      : ["![Requests a second of the pet store and its peers](benchmark.svg)"]),
    targetTable(report),
    ...manyTable(report),
    ...firstCallsText(report).map(wrapped)
  ].join("\n\n")

/** Every figure of every work, for docs/notes/http-figures.md. */
export const figuresText = (report: Report): string => {
  const works = [...new Set(report.figures.map(({ work }) => work))]
  return [
    wrapped(runText(report)),
    ...works.flatMap((work) => [
      `### ${codeOf(work)}`,
      figuresTable(report.figures.filter((each) => each.work === work))
    ])
  ].join("\n\n")
}

/**
 * How many times as many requests a second as each peer: a row for each work, a column for each
 * peer.
 */
const ratioTable = ({ figures }: Report): string => {
  const peers = [...new Set(figures.map(({ server }) => server))].filter(
    (peer) => peer !== "petstore"
  )
  const works = [...new Set(figures.map(({ work }) => work))]
  const cell = (work: string, peer: PeerName): string => {
    const found = figures.find((each) => each.work === work && each.server === peer)
    return found === undefined ? "" : found.ratio.median.toFixed(2)
  }
  return table(
    ["", ...peers.map((peer) => `× ${PEER_TITLES[peer]}`)],
    works.map((work) => [codeOf(work)].concat(peers.map((peer) => cell(work, peer))))
  )
}

/** What the README shows: the picture, its ratios, and on what they were taken. */
export const shortText = (report: Report): string =>
  [
    "![Requests a second of the pet store and its peers](docs/benchmark.svg)",
    ratioTable(report),
    wrapped(
      `${report.date}, ${machineText(report.machine)}, server and load on ` +
        `${report.cores === undefined ? "any core" : "a core each"}. Repeat it with \`npm run ` +
        "bench`."
    )
  ].join("\n\n")
