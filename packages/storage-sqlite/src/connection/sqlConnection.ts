/** What @effect/sql asks of a connection, on the store's own driver. */
import { SafeIntegers } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import type { Database, Statement } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Context from "effect/Context"
import * as Stream from "effect/Stream"

/** Prepared statements that are kept for the next time. */
const KEPT_STATEMENTS = 200

type Rows = ReadonlyArray<object>
type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

export const sqlConnection = (file: Database): Connection => {
  const statements = new Map<string, Statement<unknown[], object>>()
  const prepare = (sql: string) => file.prepare<unknown[], object>(sql)
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? prepare(sql)
    if (statements.size >= KEPT_STATEMENTS) statements.clear()
    statements.set(sql, statement)
    return statement
  }

  /** Runs at once. Integers come as bigints where the caller asks for that (`SafeIntegers`). */
  const run = <A>(use: (safeIntegers: boolean) => A): Effect.Effect<A, SqlError> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentContext), (context) =>
      Effect.try({
        try: () => use(Context.get(context, SafeIntegers)),
        catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" })
      })
    )

  const rowsOf = (
    statement: Statement<unknown[], object>,
    params: ReadonlyArray<unknown>,
    safeIntegers: boolean
  ): Rows => {
    if (statement.reader)
      return statement
        .safeIntegers(safeIntegers)
        .raw(false)
        .all(...params)
    statement.run(...params)
    return []
  }

  const execute = (sql: string, params: ReadonlyArray<unknown>, transform: Transform) =>
    Effect.map(
      run((safeIntegers) => rowsOf(prepared(sql), params, safeIntegers)),
      (rows) => (transform === undefined ? rows : transform(rows))
    )

  return {
    execute,
    executeRaw: (sql, params) =>
      run((safeIntegers) => {
        const statement = prepared(sql)
        return statement.reader ? rowsOf(statement, params, safeIntegers) : statement.run(...params)
      }),
    executeValues: (sql, params) =>
      run((safeIntegers) => {
        const statement = prepared(sql)
        if (!statement.reader) return rowsOf(statement, params, safeIntegers)
        return statement
          .safeIntegers(safeIntegers)
          .raw(true)
          .all(...params)
      }) as Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError>,
    executeUnprepared: (sql, params, transform) =>
      Effect.map(
        run((safeIntegers) => rowsOf(prepare(sql), params, safeIntegers)),
        (rows) => (transform === undefined ? rows : transform(rows))
      ),
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(execute(sql, params, transform))
  }
}
