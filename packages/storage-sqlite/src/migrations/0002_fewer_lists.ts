/**
 * Fewer lists for each write. The history of a record is looked for among the changes that are
 * kept, without a list of its own. Orders without a ship date stand in the order of ids in every
 * list, by date as well, so they are in one index for both, and those with one apart.
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

export const fewerLists = `
${DROPPED.map((index) => `DROP INDEX IF EXISTS ${index};`).join("\n")}
CREATE INDEX orders_complete_without_ship_date_ms ON orders (complete) WHERE ${UNDATED};
CREATE INDEX orders_complete_with_ship_date_ms ON orders (complete) WHERE ${DATED};
${[0, 1]
  .map(
    (complete) => `
CREATE INDEX orders_pet_complete_${complete}_without_ship_date_ms ON orders (pet_id) WHERE complete = ${complete} AND ${UNDATED};
CREATE INDEX orders_pet_complete_${complete}_with_ship_date_ms ON orders (pet_id) WHERE complete = ${complete} AND ${DATED};
CREATE INDEX orders_complete_ship_date_${complete} ON orders (ship_date_ms) WHERE complete = ${complete} AND ${DATED};
CREATE INDEX orders_pet_complete_ship_date_${complete} ON orders (pet_id, ship_date_ms) WHERE complete = ${complete} AND ${DATED};`
  )
  .join("\n")}
`
