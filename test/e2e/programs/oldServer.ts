/**
 * What a server of an earlier version does with its file, as far as this matters to later ones: it
 * has the file open, in WAL mode, and commits categories one by one until it finds that a newer
 * version has changed the schema. Says each id once it is acknowledged.
 */
import { anySqlite } from "./anySqlite.js"
import { say } from "./say.js"

const [filename = "", schema = "4"] = process.argv.slice(2)
const file = anySqlite(filename, 1_000)
file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
const version = file.prepare(
  "SELECT user_version FROM pragma_user_version WHERE (user_version & 255) > ?"
)
const insert = file.prepare("INSERT INTO categories (revision, name) VALUES (1, ?)")
const tell = file.prepare(
  "INSERT INTO changes (revision, at_ms, type, kind, record_id, after) VALUES (1, 0, 0, 1, ?, json_array(1, ?, 1, ?, NULL, NULL))"
)
const add = (name: string): number => {
  file.exec("BEGIN IMMEDIATE")
  const id = Number(insert.run(name).lastInsertRowid)
  tell.run(id, id, name)
  file.exec("COMMIT")
  return id
}

const write = (): void => {
  if (version.get(Number(schema)) !== undefined) {
    say("found a newer schema", 0)
    process.exit(1)
  }
  say("added", add("Old"))
  setTimeout(write, 3)
}
write()
