/** Pet store storage in one SQLite file. */
export type { Durability } from "./openFile.js"
export { type SqliteOptions, SqliteStorage } from "./SqliteStorage.js"
