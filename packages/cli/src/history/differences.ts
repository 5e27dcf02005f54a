/** The fields of a record that a change changed, with their old and new values. */
import type { Change } from "@petstore/core"

export type Difference = { readonly field: string; readonly from?: unknown; readonly to?: unknown }

const fieldsOf = (record: object | undefined): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(record ?? {}))

/** All fields of a new or removed record, else those that differ; never the id. */
export const differencesIn = ({ type, before, record }: Change): ReadonlyArray<Difference> => {
  const idField = type.startsWith("inventory.") ? "petId" : "id"
  const [past, present] = [fieldsOf(before), fieldsOf(record)]
  const fields = new Set([...past.keys(), ...present.keys()])
  const differences: Array<Difference> = []
  for (const field of fields) {
    if (field === idField || past.get(field) === present.get(field)) continue
    const from = past.has(field) ? { from: past.get(field) } : {}
    const to = present.has(field) ? { to: present.get(field) } : {}
    differences.push({ field, ...from, ...to })
  }
  return differences
}
