/**
 * A shop in a SQLite file: write-ahead log, every commit synced, statements prepared once. An
 * order, what it takes from stock and its line in the list of changes are one transaction.
 */
import { inTransaction, openDatabase } from "../../bareSqlite.js"
import { seeds, STOCK } from "./seeds.js"
import type { NewOrder, NewPet, Order, Pet, Shop } from "./Shop.js"

const TABLES = `
  CREATE TABLE categories (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
  CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
    categoryId INTEGER NOT NULL REFERENCES categories, status TEXT NOT NULL);
  CREATE INDEX pets_status ON pets (status);
  CREATE INDEX pets_category ON pets (categoryId);
  CREATE TABLE stock (petId INTEGER PRIMARY KEY REFERENCES pets,
    quantity INTEGER NOT NULL CHECK (quantity >= 0));
  CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, petId INTEGER NOT NULL REFERENCES pets,
    quantity INTEGER NOT NULL, shipDate TEXT, complete INTEGER NOT NULL);
  CREATE INDEX orders_pet ON orders (petId);
  CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, atMs INTEGER NOT NULL,
    kind TEXT NOT NULL, record TEXT NOT NULL);
  INSERT INTO categories (name) VALUES ('Dogs');`

const isUnknownCategory = (error: unknown): boolean =>
  error instanceof Error && error.message === "FOREIGN KEY constraint failed"

export const sqliteShop = (filename: string): Shop => {
  const db = openDatabase(filename)
  db.exec("PRAGMA journal_mode = WAL")
  db.exec("PRAGMA synchronous = FULL")
  db.exec(TABLES)

  const get = db.prepare<[number], Pet>(
    "SELECT id, name, categoryId, status FROM pets WHERE id = ?"
  )
  const page = db.prepare<[string, number, number], Pet>(
    "SELECT id, name, categoryId, status FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?"
  )
  const insertPet = db.prepare<[string, number, string]>(
    "INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)"
  )
  const setStatus = db.prepare("UPDATE pets SET status = ? WHERE id = ?")
  const stockOf = db.prepare<[number], { quantity: number }>(
    "SELECT quantity FROM stock WHERE petId = ?"
  )
  const setStock = db.prepare("UPDATE stock SET quantity = ? WHERE petId = ?")
  const insertStock = db.prepare("INSERT INTO stock (petId, quantity) VALUES (?, ?)")
  const insertOrder = db.prepare(
    "INSERT INTO orders (petId, quantity, shipDate, complete) VALUES (?, ?, ?, ?)"
  )
  const insertChange = db.prepare("INSERT INTO changes (atMs, kind, record) VALUES (?, ?, ?)")

  const addPet = ({ name, categoryId, status = "available" }: NewPet): Pet | undefined => {
    try {
      const { lastInsertRowid } = insertPet.run(name, categoryId, status)
      return { id: Number(lastInsertRowid), name, categoryId, status }
    } catch (error) {
      if (isUnknownCategory(error)) return undefined
      throw error
    }
  }

  const order = inTransaction(db, (asked: NewOrder): ReturnType<Shop["order"]> => {
    const { petId, quantity = 1, shipDate, complete = false } = asked
    const stock = stockOf.get(petId)
    if (stock === undefined)
      return get.get(petId) === undefined ? "unknown_pet" : "insufficient_stock"
    const left = stock.quantity - quantity
    if (left < 0) return "insufficient_stock"
    setStock.run(left, petId)
    if (left === 0) setStatus.run(complete ? "sold" : "pending", petId)
    const { lastInsertRowid } = insertOrder.run(petId, quantity, shipDate ?? null, complete ? 1 : 0)
    const placed: Order = {
      id: Number(lastInsertRowid),
      petId,
      quantity,
      ...(shipDate === undefined ? {} : { shipDate }),
      complete
    }
    insertChange.run(Date.now(), "order", JSON.stringify(placed))
    return placed
  })

  inTransaction(db, () => {
    for (const pet of seeds()) {
      const added = addPet(pet)
      if (added?.status === "available") insertStock.run(added.id, STOCK)
    }
  })()

  return {
    pet: (id) => get.get(id),
    pets: (status, afterId, limit) => page.all(status, afterId, limit),
    addPet,
    order,
    close: () => db.close()
  }
}
