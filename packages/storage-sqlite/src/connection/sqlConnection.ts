/** Implements the connection of @effect/sql with the store's driver. */
import { SafeIntegers } from "@effect/sql/SqlClient"
import type { Connection as SqlConnection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Context from "effect/Context"
import * as Stream from "effect/Stream"
import type { AnyStatement, Connection, SqlRow, SqlValue } from "../driver/Driver.js"

/** The maximum number of prepared statements in the cache. */
const MAX_STATEMENTS = 200

type Rows = ReadonlyArray<object>
type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

/** A row as an object. If two columns have the same name, it has the value of the last one. */
const named =
  (columns: ReadonlyArray<string>) =>
  (row: SqlRow): object =>
    Object.fromEntries(columns.map((column, at) => [column, row[at]]))

export const sqlConnection = (file: Connection): SqlConnection => {
  const statements = new Map<string, AnyStatement>()
  const prepared = (sql: string): AnyStatement => {
    const statement = statements.get(sql) ?? file.statement(sql)
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(sql, statement)
    return statement
  }

  /** Runs synchronously. Integers are bigints if the caller sets `SafeIntegers`. */
  const run = <A>(use: (bigints: boolean) => A): Effect.Effect<A, SqlError> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentContext), (context) =>
      Effect.try({
        try: () => use(Context.get(context, SafeIntegers)),
        catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" })
      })
    )

  /** Hosts may pass values of any type: the port checks them. */
  const bound = (params: ReadonlyArray<unknown>): SqlRow => params as ReadonlyArray<SqlValue>

  const valuesOf = (
    statement: AnyStatement,
    params: ReadonlyArray<unknown>,
    bigints: boolean
  ): ReadonlyArray<SqlRow> => {
    if (statement.columns().length > 0) return statement.all(bound(params), bigints)
    statement.run(...bound(params))
    return []
  }

  const rowsOf = (
    statement: AnyStatement,
    params: ReadonlyArray<unknown>,
    bigints: boolean
  ): Rows => {
    const rows = valuesOf(statement, params, bigints)
    // Read after the run: if the schema has changed, the statement has all columns only then.
    return rows.map(named(statement.columns()))
  }

  const execute = (sql: string, params: ReadonlyArray<unknown>, transform: Transform) =>
    Effect.map(
      run((bigints) => rowsOf(prepared(sql), params, bigints)),
      (rows) => (transform === undefined ? rows : transform(rows))
    )

  return {
    execute,
    executeRaw: (sql, params) =>
      run((bigints) => {
        const statement = prepared(sql)
        return statement.columns().length > 0
          ? rowsOf(statement, params, bigints)
          : statement.run(...bound(params))
      }),
    executeValues: (sql, params) => run((bigints) => valuesOf(prepared(sql), params, bigints)),
    executeUnprepared: (sql, params, transform) =>
      Effect.map(
        run((bigints) => rowsOf(file.statement(sql), params, bigints)),
        (rows) => (transform === undefined ? rows : transform(rows))
      ),
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(execute(sql, params, transform))
  }
}
