/** A run for the terminal. */
import type { Figures } from "../http/measure.js"
import type { Many } from "../library/many.js"
import { PEER_TITLES } from "../peers/Peer.js"
import { runText } from "./markdown.js"
import type { Report } from "./Report.js"
import { targetsOf } from "./targets.js"

const fixed = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? "?"

const rowOf = (each: Figures) => ({
  server: PEER_TITLES[each.server],
  "requests/s": Math.round(each.requestsPerSecond.median),
  "pet store ÷ it": fixed(each.ratio.median, 2),
  "from–to": `${fixed(each.ratio.least, 2)}–${fixed(each.ratio.greatest, 2)}`,
  "CPU µs": fixed(each.cpuMicros, 1),
  "its CPU ÷ ours": fixed(each.cpuRatio, 2),
  "p50 ms": fixed(each.p50Ms, 2),
  "p99 ms": fixed(each.p99Ms, 2),
  "its p99 ÷ ours": fixed(each.p99Ratio.median, 2),
  "MB idle": fixed(each.idleMb, 0),
  "MB after": fixed(each.loadedMb, 0),
  "load CPU": fixed(each.loadCpu, 2)
})

const manyRow = (many: Many) => ({
  pets: many.pets,
  "imported, pets/s": Math.round(many.petsPerSecond),
  MB: fixed(many.mb, 0),
  "MB resident": fixed(many.residentMb, 0),
  "page of 50, µs": fixed(many.pageMicros.median, 1),
  "÷ that of 1,000 pets": fixed(many.pageRatio.median, 2)
})

export const printFigures = ({ figures, memory, file }: Report): void => {
  for (const work of new Set(figures.map((each) => each.work))) {
    console.log(`\n${work}`)
    console.table(figures.filter((each) => each.work === work).map(rowOf))
  }
  const many = { ...(memory && { memory: manyRow(memory) }), ...(file && { file: manyRow(file) }) }
  if (Object.keys(many).length === 0) return
  console.log("\nmany pets")
  console.table(many)
}

export const printTargets = (report: Report): void => {
  console.log(`\n${runText(report)}\n`)
  const judged = targetsOf(report)
  for (const { what, target, measured, reached } of judged) {
    if (reached === undefined) continue
    console.log(
      `${(reached ? "yes" : "NO").padEnd(4)} ${what.padEnd(66)} ${target.padStart(18)}   ` +
        measured
    )
  }
  const unmeasured = judged.filter(({ reached }) => reached === undefined).length
  if (unmeasured > 0) console.log(`\n${unmeasured} further targets were not measured.`)
}
