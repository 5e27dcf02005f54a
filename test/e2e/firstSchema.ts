/**
 * The first schema. Ids are never reused (AUTOINCREMENT). Statuses and booleans are small integers:
 * 0 available, 1 pending, 2 sold. Texts compare by their UTF-8 bytes, which is by code point. A
 * folded name is stored, as `folding`, only where it is not the name in small letters. An index
 * that goes by a status or by completion is one partial index for each of its values, so that no
 * entry repeats it. References are declared for `PRAGMA foreign_key_check`; the programs keep them,
 * so enforcement stays off. Rows are counted by what lists filter by in `tallies`, so that a total
 * costs the same however many there are. Once released, this text never changes.
 */

/**
 * The same index for each value of a column with so many, by the number that stands for the value.
 */
const each = (values: number, index: string, on: string, column: string): string =>
  Array.from(
    { length: values },
    (_, value) => `CREATE INDEX ${index}_${value} ON ${on} WHERE ${column} = ${value};`
  ).join("\n")

export const shop = `
CREATE TABLE categories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  folding TEXT,
  folded_name TEXT GENERATED ALWAYS AS (coalesce(folding, lower(name))) VIRTUAL,
  description TEXT
) STRICT;
CREATE INDEX categories_name ON categories (name);
CREATE INDEX categories_folded_name ON categories (folded_name);

CREATE TABLE pets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  folding TEXT,
  folded_name TEXT GENERATED ALWAYS AS (coalesce(folding, lower(name))) VIRTUAL,
  category_id INTEGER NOT NULL REFERENCES categories (id),
  status INTEGER NOT NULL,
  on_order INTEGER NOT NULL,
  sold INTEGER NOT NULL
) STRICT;
CREATE INDEX pets_status ON pets (status);
${each(3, "pets_category_status", "pets (category_id)", "status")}
${each(3, "pets_status_name", "pets (name)", "status")}
${each(3, "pets_category_status_name", "pets (category_id, name)", "status")}
${each(3, "pets_status_folded_name", "pets (folded_name)", "status")}
${each(3, "pets_category_status_folded_name", "pets (category_id, folded_name)", "status")}

CREATE TABLE inventory (
  id INTEGER PRIMARY KEY REFERENCES pets (id),
  revision INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  status INTEGER NOT NULL,
  on_order INTEGER NOT NULL,
  sold INTEGER NOT NULL
) STRICT;
CREATE INDEX inventory_status ON inventory (status);
${each(3, "inventory_status_quantity", "inventory (quantity)", "status")}

CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  pet_id INTEGER,
  quantity INTEGER,
  ship_date_ms INTEGER,
  complete INTEGER NOT NULL,
  held INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_complete ON orders (complete);
${each(2, "orders_pet_complete", "orders (pet_id)", "complete")}
${each(2, "orders_complete_ship_date", "orders (ship_date_ms)", "complete")}
${each(2, "orders_pet_complete_ship_date", "orders (pet_id, ship_date_ms)", "complete")}

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  per_minute INTEGER,
  per_day INTEGER,
  created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  start TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER,
  revoked_ms INTEGER,
  disabled INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_account ON keys (account_id);
CREATE INDEX keys_digest ON keys (digest);

CREATE TABLE key_uses (
  id INTEGER PRIMARY KEY REFERENCES keys (id),
  revision INTEGER NOT NULL,
  used_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE idempotency (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  scope TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_scope ON idempotency (scope);
CREATE INDEX idempotency_expiry ON idempotency (expires_ms);

CREATE TABLE deprecated_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  operation TEXT NOT NULL,
  day_ms INTEGER NOT NULL,
  calls INTEGER NOT NULL
) STRICT;
CREATE INDEX deprecated_calls_account ON deprecated_calls (account_id);
CREATE INDEX deprecated_calls_account_operation_day ON deprecated_calls (account_id, operation, day_ms);

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  url TEXT NOT NULL,
  types TEXT NOT NULL,
  salt TEXT NOT NULL,
  generation INTEGER NOT NULL,
  mark TEXT NOT NULL,
  previous_until_ms INTEGER,
  state INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  state_ms INTEGER NOT NULL,
  epoch TEXT NOT NULL,
  cursor INTEGER NOT NULL,
  resync_to INTEGER,
  resync_ms INTEGER,
  replays TEXT NOT NULL,
  failures INTEGER NOT NULL,
  next_ms INTEGER,
  lease_holder TEXT,
  lease_until_ms INTEGER,
  logged INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_state ON webhooks (state);

CREATE TABLE webhook_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id),
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  took_millis INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  status INTEGER,
  detail TEXT NOT NULL,
  next_ms INTEGER
) STRICT;
CREATE INDEX webhook_attempts_webhook ON webhook_attempts (webhook_id);

CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  type INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  account_id INTEGER,
  request_id TEXT,
  before TEXT,
  after TEXT
) STRICT;
${each(4, "changes_record", "changes (record_id)", "kind")}

CREATE TABLE feed_epochs (
  id INTEGER PRIMARY KEY,
  revision INTEGER NOT NULL,
  epoch TEXT NOT NULL
) STRICT;

CREATE TABLE usage (
  caller TEXT PRIMARY KEY,
  minute_start_ms INTEGER NOT NULL,
  minute_used INTEGER NOT NULL,
  day_start_ms INTEGER NOT NULL,
  day_used INTEGER NOT NULL,
  retry_at_ms INTEGER NOT NULL,
  refused_at_ms INTEGER NOT NULL,
  strikes_ms TEXT NOT NULL,
  banned_until_ms INTEGER NOT NULL,
  bans INTEGER NOT NULL,
  last_ban_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tallies (
  tally TEXT NOT NULL,
  first INTEGER NOT NULL,
  second INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (tally, first, second)
) STRICT, WITHOUT ROWID;
`
