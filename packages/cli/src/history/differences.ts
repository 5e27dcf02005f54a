/** Which fields of a record a change changed, and from what to what. */
import type { Change } from "@petstore/core"

export type Difference = { readonly field: string; readonly from?: unknown; readonly to?: unknown }

const fieldsOf = (record: object | undefined): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(record ?? {}))

/** All fields of a record that is new, or gone; else those that differ. What names the record never does. */
export const differencesIn = ({ type, before, record }: Change): ReadonlyArray<Difference> => {
  const name = type.startsWith("inventory.") ? "petId" : "id"
  const [past, present] = [fieldsOf(before), fieldsOf(record)]
  const fields = new Set([...past.keys(), ...present.keys()])
  const found: Array<Difference> = []
  for (const field of fields) {
    if (field === name || past.get(field) === present.get(field)) continue
    const from = past.has(field) ? { from: past.get(field) } : {}
    const to = present.has(field) ? { to: present.get(field) } : {}
    found.push({ field, ...from, ...to })
  }
  return found
}
