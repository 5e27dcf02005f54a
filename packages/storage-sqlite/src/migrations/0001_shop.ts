/**
 * The first schema. Ids are never reused (AUTOINCREMENT). Statuses and booleans are small integers: 0 available,
 * 1 pending, 2 sold. Texts compare by their UTF-8 bytes, which is by code point. References are declared for
 * `PRAGMA foreign_key_check`; the programs keep them, so enforcement stays off. Rows are counted by what lists filter by in
 * `tallies`, so that a total costs the same however many there are. Once released, this text never changes.
 */
export const shop = `
CREATE TABLE categories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  description TEXT
) STRICT;
CREATE INDEX categories_name ON categories (name);
CREATE INDEX categories_folded_name ON categories (folded_name);

CREATE TABLE pets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES categories (id),
  status INTEGER NOT NULL,
  on_order INTEGER NOT NULL,
  sold INTEGER NOT NULL
) STRICT;
CREATE INDEX pets_status ON pets (status);
CREATE INDEX pets_category_status ON pets (category_id, status);
CREATE INDEX pets_status_name ON pets (status, name);
CREATE INDEX pets_category_status_name ON pets (category_id, status, name);
CREATE INDEX pets_status_folded_name ON pets (status, folded_name);
CREATE INDEX pets_category_status_folded_name ON pets (category_id, status, folded_name);

CREATE TABLE inventory (
  id INTEGER PRIMARY KEY REFERENCES pets (id),
  revision INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  status INTEGER NOT NULL,
  on_order INTEGER NOT NULL,
  sold INTEGER NOT NULL
) STRICT;
CREATE INDEX inventory_status ON inventory (status);
CREATE INDEX inventory_status_quantity ON inventory (status, quantity);

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
CREATE INDEX orders_pet_complete ON orders (pet_id, complete);
CREATE INDEX orders_complete_ship_date ON orders (complete, ship_date_ms);
CREATE INDEX orders_pet_complete_ship_date ON orders (pet_id, complete, ship_date_ms);

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
CREATE TRIGGER pets_counted AFTER INSERT ON pets BEGIN
  INSERT INTO tallies VALUES ('pets_status', NEW.status, 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO tallies VALUES ('pets_category_status', NEW.category_id, NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER pets_uncounted AFTER DELETE ON pets BEGIN
  UPDATE tallies SET count = count - 1 WHERE tally = 'pets_status' AND first = OLD.status AND second = 0;
  UPDATE tallies SET count = count - 1 WHERE tally = 'pets_category_status' AND first = OLD.category_id AND second = OLD.status;
END;
CREATE TRIGGER pets_recounted AFTER UPDATE OF category_id, status ON pets WHEN OLD.category_id <> NEW.category_id OR OLD.status <> NEW.status BEGIN
  UPDATE tallies SET count = count - 1 WHERE tally = 'pets_status' AND first = OLD.status AND second = 0;
  UPDATE tallies SET count = count - 1 WHERE tally = 'pets_category_status' AND first = OLD.category_id AND second = OLD.status;
  INSERT INTO tallies VALUES ('pets_status', NEW.status, 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
  INSERT INTO tallies VALUES ('pets_category_status', NEW.category_id, NEW.status, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER inventory_counted AFTER INSERT ON inventory BEGIN
  INSERT INTO tallies VALUES ('inventory_status', NEW.status, 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER inventory_uncounted AFTER DELETE ON inventory BEGIN
  UPDATE tallies SET count = count - 1 WHERE tally = 'inventory_status' AND first = OLD.status AND second = 0;
END;
CREATE TRIGGER inventory_recounted AFTER UPDATE OF status ON inventory WHEN OLD.status <> NEW.status BEGIN
  UPDATE tallies SET count = count - 1 WHERE tally = 'inventory_status' AND first = OLD.status AND second = 0;
  INSERT INTO tallies VALUES ('inventory_status', NEW.status, 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER orders_counted AFTER INSERT ON orders BEGIN
  INSERT INTO tallies VALUES ('orders_complete', NEW.complete, 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER orders_uncounted AFTER DELETE ON orders BEGIN
  UPDATE tallies SET count = count - 1 WHERE tally = 'orders_complete' AND first = OLD.complete AND second = 0;
END;
CREATE TRIGGER orders_recounted AFTER UPDATE OF complete ON orders WHEN OLD.complete <> NEW.complete BEGIN
  UPDATE tallies SET count = count - 1 WHERE tally = 'orders_complete' AND first = OLD.complete AND second = 0;
  INSERT INTO tallies VALUES ('orders_complete', NEW.complete, 0, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
`
