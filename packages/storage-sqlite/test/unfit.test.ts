import { expect, test } from "vitest"
import { unfitReason } from "../src/driver/unfit.js"

const fits = (version: string, node: string): boolean =>
  unfitReason(version, { node }) === undefined

test("better-sqlite3 12 is refused where it aborts: on Node 24 from 24.19 on", () => {
  const nodes = [
    "20.19.0",
    "22.23.3",
    "24.18.9",
    "24.19.0",
    "24.21.0",
    "24.99.0",
    "25.0.0",
    "26.10.0"
  ]
  expect(nodes.filter((node) => !fits("12.11.1", node))).toEqual(["24.19.0", "24.21.0", "24.99.0"])
  expect(unfitReason("12.11.1", { node: "24.21.0" })).toBe(
    'better-sqlite3 12.11.1 makes Node 24.21.0 abort: use the driver that Node has built in (driver "node", the default), or install better-sqlite3 13'
  )
})

test("better-sqlite3 13 is refused where it crashes: before Node 22.16", () => {
  const nodes = ["20.20.2", "22.13.1", "22.15.9", "22.16.0", "24.21.0", "26.10.0"]
  expect(nodes.filter((node) => !fits("13.2.0", node))).toEqual(["20.20.2", "22.13.1", "22.15.9"])
})

test("Bun and Deno, which say the version of a Node, are told nothing", () => {
  const node = "24.21.0"
  expect(unfitReason("12.11.1", { node, bun: "1.4.5" })).toBeUndefined()
  expect(unfitReason("12.11.1", { node, deno: "2.9.6" })).toBeUndefined()
})
