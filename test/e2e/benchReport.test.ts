/**
 * What `npm run bench` says of a run: which targets it reached, and how its figures are written
 * down.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { Figures } from "../bench/http/measure.js"
import { median, ratio, type Spread } from "../bench/http/statistics.js"
import { titleOf, WORKS } from "../bench/http/works.js"
import { calls } from "../bench/library/calls.js"
import { many } from "../bench/library/many.js"
import { chart } from "../bench/report/chart.js"
import { figuresText, pageText, shortText, targetTable } from "../bench/report/markdown.js"
import type { Report } from "../bench/report/Report.js"
import { targetsOf } from "../bench/report/targets.js"
import { replaceMarked } from "../bench/report/writeReport.js"

const about = (value: number): Spread => ({ median: value, least: value / 2, greatest: value * 2 })

const figuresOf = (work: string, server: Figures["server"], times: number): Figures => ({
  work,
  server,
  requestsPerSecond: about(50_000 / times),
  p50Ms: 1,
  p99Ms: 2,
  cpuMicros: 18,
  cpuRatio: times,
  ratio: about(times),
  p99Ratio: about(1),
  idleMb: 80,
  loadedMb: 90,
  loadCpu: 0.5
})

const WORK = "GET /pets?status=available&limit=50, file"

const report: Report = {
  date: "2026-01-31",
  machine: {
    processor: "A <fast> one",
    processors: 2,
    memoryGb: 8,
    system: "Linux 6",
    node: "20.19.0"
  },
  quick: false,
  rounds: { count: 7, seconds: 1, warmUp: { seconds: 1, requests: 1 } },
  figures: [figuresOf(WORK, "petstore", 1), figuresOf(WORK, "fastify", 1.3)]
}

const judged = (what: string, of: Report = report) =>
  targetsOf(of).find((each) => each.what === what)

describe("statistics", () => {
  it("take the middle, or the mean of the two in the middle", () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
  })

  it("hold each round against the same round of the other", () => {
    expect(ratio([10, 100, 30], [5, 100, 10])).toEqual({ median: 2, least: 1, greatest: 3 })
  })
})

describe("targets", () => {
  it("are reached at their bound and missed below it", () => {
    expect(judged(`${WORK}: × Fastify`)).toMatchObject({ target: "≥ 1.30 ×", reached: true })
    const slower = { ...report, figures: [figuresOf(WORK, "fastify", 1.299)] }
    expect(judged(`${WORK}: × Fastify`, slower)?.reached).toBe(false)
  })

  it("ask more of concurrent durable orders where a sync takes a millisecond", () => {
    const target = (of: Report) =>
      judged("POST /store/orders, file, 64 connections: × Fastify", of)?.target
    expect(target(report)).toBe("≥ 2.80 ×")
    expect(target({ ...report, syncMs: 0.99 })).toBe("≥ 2.80 ×")
    expect(target({ ...report, syncMs: 1 })).toBe("≥ 4.00 ×")
  })

  it("name only works that are measured", () => {
    const titles = WORKS.map(titleOf)
    const overHttp = targetsOf(report).filter(({ what }) => / \/.*: /.test(what))
    expect(overHttp.length).toBeGreaterThan(0)
    for (const { what } of overHttp) expect(titles).toContain(what.slice(0, what.lastIndexOf(": ")))
  })

  it("are open where nothing was measured, and then in no table", () => {
    expect(judged("`petstore serve`, idle")?.reached).toBeUndefined()
    expect(targetTable(report)).not.toContain("idle")
  })

  it("say nothing of a million pets after a run with fewer", () => {
    const many = {
      petsPerSecond: 1e6,
      mb: 1,
      residentMb: 1,
      pageMicros: about(1),
      pageRatio: about(1)
    }
    const of = (pets: number) =>
      judged("1,000,000 pets in a file", { ...report, file: { pets, ...many } })
    expect(of(50_000)?.reached).toBeUndefined()
    expect(of(1_000_000)?.reached).toBe(true)
  })
})

describe("what is written", () => {
  it("names the machine, the day, and every server with its ratio", () => {
    const text = figuresText(report)
    expect(text).toContain("A <fast> one, 2 processors")
    expect(text).toContain("2026-01-31")
    expect(text).toContain("| Fastify | 38,462 | 1.30 (0.65–2.60) |")
  })

  it("has the targets and no table of a work on the page of figures", () => {
    const text = pageText(report)
    expect(text).toContain("A <fast> one, 2 processors")
    expect(text).toContain(targetTable(report))
    expect(text).not.toContain("### ")
  })

  it("has paragraphs of at most 100 columns", () => {
    const lines = [figuresText(report), pageText(report), shortText(report)].join("\n").split("\n")
    const prose = lines.filter((line) => !/^[|!]/.test(line))
    expect(prose.filter((line) => line.length > 100)).toEqual([])
    expect(prose.join("").length).toBeGreaterThan(100)
  })

  it("has a column of ratios for each peer in the README", () => {
    const text = shortText(report)
    expect(text).toContain("|  | × Fastify |")
    expect(text).toContain("| `GET /pets?status=available&limit=50`, file | 1.30 |")
    expect(text).toContain("npm run bench")
  })

  it("is a picture whose texts are escaped, with a bar for each server", () => {
    const picture = chart(report)
    expect(picture).toContain("A &lt;fast&gt; one")
    expect(picture).toContain("status=available&amp;limit=50")
    expect(picture.match(/<rect/g)).toHaveLength(2)
    expect(picture).toContain("1.30 ×")
  })

  it("replaces what is between the marks and nothing else", () => {
    const before =
      "a\n<!-- figures of npm run bench -->\nold\n<!-- end of figures -->\nb <!-- end of figures -->"
    expect(replaceMarked(before, "new")).toBe(before.replace("old", "new"))
    expect(() => replaceMarked("a", "new")).toThrow("no place for figures")
  })
})

describe("the library", () => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-bench-test-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("has its calls measured beside the bare statements of today's tables", async () => {
    const { fileGetRatio, fileCreateRatio } = await calls(folder, 1)
    expect(fileGetRatio.median).toBeGreaterThan(0)
    expect(fileCreateRatio.median).toBeGreaterThan(0)
  })

  it.each(["memory", "file"] as const)(
    "has many pets put in and paged through, in %s",
    async (storage) => {
      const { petsPerSecond, pageRatio } = await many(
        storage,
        mkdtempSync(join(folder, storage)),
        2_000
      )
      expect(petsPerSecond).toBeGreaterThan(0)
      expect(pageRatio.median).toBeGreaterThan(0)
    }
  )
})
