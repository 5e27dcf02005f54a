/** The list, the service and the options that make two runs the same import. */
import type { PetStatus } from "@petstore/core"

export type ImportJob = {
  readonly list: string
  readonly sha256: string
  readonly rows: number
  readonly url: string
  readonly name: string
  readonly category: string
  readonly status: string | null
  readonly statusMap: Readonly<Record<string, PetStatus>>
}

/** How a job differs from an earlier one, in words; undefined if it is the same. */
export const difference = (before: ImportJob, now: ImportJob): string | undefined => {
  const member = MEMBERS.find((each) => JSON.stringify(before[each]) !== JSON.stringify(now[each]))
  return member === undefined ? undefined : WORDS[member]
}

const MEMBERS = ["sha256", "url", "name", "category", "status", "statusMap"] as const

const WORDS: Readonly<Record<(typeof MEMBERS)[number], string>> = {
  sha256: "an earlier version of the list",
  url: "another service",
  name: "another --name",
  category: "another --category",
  status: "another --status",
  statusMap: "another --status-map"
}
