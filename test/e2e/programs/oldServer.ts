/**
 * What a server of an earlier version does with its file, as far as this matters to later ones: it
 * has the file open, in WAL mode, and commits categories one by one until it finds that a newer
 * version has changed the schema. Says each id once it is acknowledged.
 */
import Connection from "better-sqlite3"
import { say } from "./say.js"

const [filename = "", schema = "4"] = process.argv.slice(2)
const file = new Connection(filename, { fileMustExist: true, timeout: 1_000 })
file.pragma("journal_mode = WAL")
file.pragma("synchronous = FULL")
const insert = file.prepare("INSERT INTO categories (revision, name) VALUES (1, ?)")
const tell = file.prepare(
  "INSERT INTO changes (revision, at_ms, type, kind, record_id, after) VALUES (1, 0, 0, 1, ?, json_array(1, ?, 1, ?, NULL, NULL))"
)
const add = file.transaction((name: string): number => {
  const id = Number(insert.run(name).lastInsertRowid)
  tell.run(id, id, name)
  return id
})

const write = (): void => {
  if (Number(file.pragma("user_version", { simple: true })) > Number(schema)) {
    say("found a newer schema", 0)
    process.exit(1)
  }
  say("added", add.immediate("Old"))
  setTimeout(write, 3)
}
write()
