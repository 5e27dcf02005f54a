/** A bar of text for each minute: how many requests were admitted, refused and banned. */
import type { AdmissionCounts } from "@petstore/core"

const WIDTH = 40

/** Characters that differ without colour. */
export const MARKS = { admitted: "█", refused: "▒", banned: "×" } as const

const KINDS = ["admitted", "refused", "banned"] as const

const sumOf = (tally: AdmissionCounts): number => KINDS.reduce((sum, kind) => sum + tally[kind], 0)

/** The number of requests per character, so that the longest bar fits. */
export const scaleOf = (tallies: ReadonlyArray<AdmissionCounts>): number =>
  Math.max(1, Math.ceil(tallies.reduce((most, tally) => Math.max(most, sumOf(tally)), 0) / WIDTH))

/** Every kind that occurs has at least one character. */
export const barOf = (tally: AdmissionCounts, scale: number): string =>
  KINDS.map((kind) => MARKS[kind].repeat(Math.ceil(tally[kind] / scale))).join("")
