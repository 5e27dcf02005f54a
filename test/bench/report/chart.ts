/**
 * The figures over HTTP as a picture: for each work a group of bars, the fastest as long as there
 * is room. Readable on light and on dark ground.
 */
import type { Figures } from "../http/measure.js"
import { PEER_TITLES } from "../peers/Peer.js"
import { machineText, type Report } from "./Report.js"

const WIDTH = 860
const LEFT = 140
const LONGEST = 520
const BAR = 14
const STEP = 20
const GROUP_GAP = 22
const HEAD = 62

const STYLE = `
  text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f }
  .title { font-size: 16px; font-weight: 600 }
  .work { font-weight: 600 }
  .note, .value { fill: #57606a }
  .name { text-anchor: end }
  rect { fill: #afb8c1 }
  .own { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .note, .value { fill: #9198a1 }
    rect { fill: #484f58 }
    .own { fill: #4493f8 }
  }`

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`

const text = (x: number, y: number, className: string, content: string): string =>
  `<text x="${x}" y="${y}" class="${className}">${escaped(content)}</text>`

const valueOf = ({ server, requestsPerSecond, ratio }: Figures): string =>
  server === "petstore"
    ? perSecond(requestsPerSecond.median)
    : `${perSecond(requestsPerSecond.median)} · pet store ${ratio.median.toFixed(2)} ×`

const bar = (figures: Figures, y: number, longest: number): ReadonlyArray<string> => {
  const width = Math.max(1, Math.round((LONGEST * figures.requestsPerSecond.median) / longest))
  const base = y + BAR - 3
  const color = figures.server === "petstore" ? ' class="own"' : ""
  return [
    text(LEFT - 8, base, "name", PEER_TITLES[figures.server]),
    `<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR}" rx="2"${color}/>`,
    text(LEFT + width + 6, base, "value", valueOf(figures))
  ]
}

const TITLE = "Requests a second of the pet store and of the same service written by hand"

export const chart = ({ figures, machine, date }: Report): string => {
  const lines: Array<string> = []
  let y = HEAD
  for (const work of new Set(figures.map((each) => each.work))) {
    const group = figures.filter((each) => each.work === work)
    const longest = Math.max(...group.map((each) => each.requestsPerSecond.median))
    lines.push(text(LEFT, y + BAR - 3, "work", work))
    y += STEP
    for (const each of group) {
      lines.push(...bar(each, y, longest))
      y += STEP
    }
    y += GROUP_GAP
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" ` +
      `viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title">`,
    `<title id="title">${TITLE}</title>`,
    `<style>${STYLE}\n</style>`,
    text(16, 26, "title", "Requests a second, one core"),
    text(16, 46, "note", `${date}, ${machineText(machine)}`),
    ...lines,
    "</svg>\n"
  ].join("\n")
}
