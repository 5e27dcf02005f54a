/** Pet store storage in one SQLite file. */
export { backup, type BackupOptions, type BackupProgress } from "./copy/backup.js"
export type { Durability } from "./Durability.js"
export { type SqliteOptions, SqliteStorage } from "./SqliteStorage.js"
export type { Finding } from "./verify/Finding.js"
export { verify, type VerifyOptions } from "./verify/verify.js"
