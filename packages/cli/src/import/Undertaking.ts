/** What is imported, how, and to where: by it an import is told from another one. */
import type { PetStatus } from "@petstore/core"

/** The same list into the same service in the same way, or it is another import. */
export type Undertaking = {
  readonly list: string
  readonly sha256: string
  readonly rows: number
  readonly url: string
  readonly name: string
  readonly category: string
  readonly status: string | null
  readonly statusMap: Readonly<Record<string, PetStatus>>
}

/** In what an undertaking differs from an earlier one, in words; undefined where it is the same. */
export const difference = (before: Undertaking, now: Undertaking): string | undefined => {
  const other = MEMBERS.find((member) => JSON.stringify(before[member]) !== JSON.stringify(now[member]))
  return other === undefined ? undefined : WORDS[other]
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
