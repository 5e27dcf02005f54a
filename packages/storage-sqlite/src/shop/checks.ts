/**
 * The invariants of the shop in SQL. The built-in ordering rules keep them with every change, so an
 * incomplete write shows as a finding.
 */
import { MAX_AGREED, MAX_QUANTITY, PET_STATUSES, PLANS } from "@petstore/core"
import type { Collection, Row } from "@petstore/core/storage"
import { countsSql, foldedSql, idsSql, valuesSql } from "../verify/declaredChecks.js"
import type { Check } from "../verify/Finding.js"
import { boundsSql } from "./bounds.js"
import { LAST_CHANGES } from "./lastChanges.js"

const [AVAILABLE, PENDING, SOLD] = PET_STATUSES.map((_, code) => code)

/**
 * Units of a pet in orders, and the units of it that are counted in its entry, or in the pet where
 * it has none.
 */
const UNITS = `
  WITH ordered AS (
    SELECT pet_id,
      sum(held) FILTER (WHERE complete = 0) AS open,
      sum(held) FILTER (WHERE complete = 1) AS complete
    FROM orders WHERE pet_id IS NOT NULL AND held <> 0 GROUP BY pet_id
  ), counted AS (
    SELECT pets.id,
      coalesce(inventory.on_order, pets.on_order) AS on_order,
      coalesce(inventory.sold, pets.sold) AS sold
    FROM pets LEFT JOIN inventory ON inventory.id = pets.id
  ), units AS (
    SELECT counted.id, on_order, sold, coalesce(open, 0) AS open, coalesce(complete, 0) AS complete
    FROM counted LEFT JOIN ordered ON ordered.pet_id = counted.id
  )`

const DERIVED = `CASE WHEN quantity > 0 THEN ${AVAILABLE} WHEN on_order > 0 THEN ${PENDING}
  ELSE ${SOLD} END`

const nameOf = (status: string): string =>
  `CASE ${status} ${PET_STATUSES.map((name, code) => `WHEN ${code} THEN '${name}'`).join(" ")}
    ELSE ${status} END`

/** All checks of a store with these collections, in the order in which they are run. */
export const storeChecks = (collections: ReadonlyArray<Collection<Row>>): ReadonlyArray<Check> => [
  {
    name: "totals",
    sql: countsSql(collections)
  },
  {
    name: "units on order",
    sql: `${UNITS} SELECT 'pet ' || id || ': ' || on_order || ' counted, ' || open
      || ' in open orders' FROM units
      WHERE on_order <> open`
  },
  {
    name: "units sold",
    sql: `${UNITS} SELECT 'pet ' || id || ': ' || sold || ' counted, ' || complete
      || ' in completed orders' FROM units
      WHERE sold <> complete`
  },
  {
    name: "units held",
    sql: `SELECT 'order ' || id || ': holds ' || held || ' units, its quantity is '
      || coalesce(quantity, 'missing') FROM orders
      WHERE held > 0 AND held IS NOT quantity
      UNION ALL SELECT 'order ' || id || ': of pet ' || pet_id || ', has no quantity' FROM orders
      WHERE pet_id IS NOT NULL AND quantity IS NULL AND held = 0`
  },
  {
    name: "units below zero",
    sql: `SELECT 'pet ' || id || ': ' || quantity || ' for sale, ' || on_order || ' on order, '
      || sold || ' sold' FROM inventory
      WHERE quantity < 0 OR on_order < 0 OR sold < 0
      UNION ALL SELECT 'order ' || id || ': holds ' || held FROM orders WHERE held < 0`
  },
  {
    name: "units beyond count",
    sql: `SELECT 'pet ' || id || ': ' || quantity || ' for sale and ' || on_order
      || ' on order are more than ${MAX_QUANTITY}'
      FROM inventory WHERE quantity + on_order > ${MAX_QUANTITY}`
  },
  {
    name: "statuses",
    sql: `SELECT 'inventory of pet ' || id || ': ' || ${nameOf("status")} || ', by its stock '
      || ${nameOf(DERIVED)} FROM inventory
      WHERE status <> ${DERIVED}
      UNION ALL SELECT 'pet ' || pets.id || ': ' || ${nameOf("pets.status")} || ', its inventory '
        || ${nameOf("inventory.status")}
      FROM pets JOIN inventory ON inventory.id = pets.id WHERE pets.status <> inventory.status`
  },
  {
    name: "orders of pets",
    sql: `SELECT 'order ' || orders.id || ': holds units of pet ' || pet_id
      || ', which does not exist' FROM orders
      LEFT JOIN pets ON pets.id = pet_id WHERE complete = 0 AND held > 0 AND pets.id IS NULL
      UNION ALL SELECT 'order ' || id || ': holds ' || held || ' units of no pet' FROM orders
        WHERE held > 0 AND pet_id IS NULL`
  },
  {
    name: "folded names",
    sql: foldedSql(collections)
  },
  {
    name: "accounts",
    sql: `SELECT 'account ' || id || ': plan ' || plan || ', ' || coalesce(per_minute, 'no')
        || ' requests per minute and ' || coalesce(per_day, 'no') || ' per day agreed' FROM accounts
      WHERE NOT CASE WHEN plan = 'enterprise'
        THEN coalesce(per_minute BETWEEN 1 AND ${MAX_AGREED}
          AND per_day BETWEEN 1 AND ${MAX_AGREED}, 0)
        ELSE plan IN (${PLANS.map((plan) => `'${plan}'`).join(", ")}) AND per_minute IS NULL
          AND per_day IS NULL END`
  },
  {
    name: "keys",
    sql: `SELECT 'key ' || id || ': its digest is not a SHA-256 digest' FROM keys
      WHERE length(digest) <> 64 OR digest GLOB '*[^0-9a-f]*'
      UNION ALL SELECT 'keys ' || min(id) || ' and ' || max(id) || ': have the same digest'
      FROM keys
      GROUP BY digest HAVING count(*) > 1`
  },
  {
    name: "feed of changes",
    sql: `SELECT 'changes ' || min(id) || ' to ' || max(id) || ': '
      || (max(id) - min(id) + 1 - count(*)) || ' are missing' FROM changes
      HAVING count(*) > 0 AND max(id) - min(id) + 1 <> count(*)
      UNION ALL SELECT 'changes: the last, ' || id || ', is missing' FROM last_ids
        WHERE name = 'changes'
      UNION ALL SELECT 'change ' || id || ': has no record before or after it' FROM changes
        WHERE before IS NULL AND after IS NULL
      UNION ALL SELECT 'change ' || id || ': a record in it is not valid JSON' FROM changes
      WHERE NOT coalesce(json_valid(before), 1) OR NOT coalesce(json_valid(after), 1)`
  },
  { name: "records by their last change", sql: LAST_CHANGES },
  {
    name: "webhooks",
    sql: `SELECT 'webhook ' || id || ': ' || logged || ' attempts counted, ' || kept || ' stored'
      FROM (
        SELECT id, logged,
          (SELECT count(*) FROM webhook_attempts WHERE webhook_id = webhooks.id) AS kept
        FROM webhooks)
      WHERE logged <> kept
      UNION ALL SELECT 'webhook ' || id || ': its cursor is change ' || cursor
        || ', which does not exist yet' FROM webhooks
      WHERE epoch IN (SELECT epoch FROM feed_epochs)
        AND cursor > coalesce((SELECT max(id) FROM changes), 0)
      UNION ALL SELECT 'webhook ' || id || ': has an incomplete lease or resync' FROM webhooks
      WHERE (lease_holder IS NULL) <> (lease_until_ms IS NULL)
        OR (resync_to IS NULL) <> (resync_ms IS NULL)`
  },
  { name: "values", sql: [valuesSql(collections), ...boundsSql()].join(" UNION ALL ") },
  { name: "ids", sql: idsSql(collections) }
]
