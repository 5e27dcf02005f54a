/**
 * Drops indexes, so that each write updates fewer. The history of a record is found by a scan of
 * the stored changes, without an index. Orders without a ship date have the order of their ids in
 * lists by date too, so one index serves lists by id and by date. Orders with a ship date have
 * separate indexes.
 */

const DROPPED = [
  ...[0, 1, 2, 3].map((kind) => `changes_record_${kind}`),
  "orders_complete",
  ...[0, 1].flatMap((complete) => [
    `orders_pet_complete_${complete}`,
    `orders_complete_ship_date_${complete}`,
    `orders_pet_complete_ship_date_${complete}`
  ])
]

const UNDATED = "ship_date_ms IS NULL"
const DATED = "ship_date_ms IS NOT NULL"

const index = (name: string, columns: string, condition: string): string =>
  `CREATE INDEX ${name} ON orders (${columns}) WHERE ${condition};`

const ordersIndexes = (complete: number): ReadonlyArray<string> => {
  const dated = `complete = ${complete} AND ${DATED}`
  const undated = `complete = ${complete} AND ${UNDATED}`
  const ofPet = `orders_pet_complete_${complete}`
  return [
    index(`${ofPet}_without_ship_date_ms`, "pet_id", undated),
    index(`${ofPet}_with_ship_date_ms`, "pet_id", dated),
    index(`orders_complete_ship_date_${complete}`, "ship_date_ms", dated),
    index(`orders_pet_complete_ship_date_${complete}`, "pet_id, ship_date_ms", dated)
  ]
}

export const fewerIndexes = `
${DROPPED.map((index) => `DROP INDEX IF EXISTS ${index};`).join("\n")}
CREATE INDEX orders_complete_without_ship_date_ms ON orders (complete) WHERE ${UNDATED};
CREATE INDEX orders_complete_with_ship_date_ms ON orders (complete) WHERE ${DATED};
${[0, 1].flatMap(ordersIndexes).join("\n")}
`
