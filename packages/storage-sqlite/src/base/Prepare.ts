/** Compiles a statement on one connection. */
import type { Statement } from "better-sqlite3"

export type Prepare = (sql: string) => Statement
