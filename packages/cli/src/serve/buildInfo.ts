/** The versions of petstore, of its runtime and of SQLite, for `/metrics`. */
import process from "node:process"
import type { Gauge } from "@petstore/http-adapter"
import * as Effect from "effect/Effect"
import { Version } from "../Version.js"

/** Bun and Deno say the version of a Node too. */
const runtime = (): string => {
  const { bun, deno, node }: Readonly<Record<string, string | undefined>> = process.versions
  return bun !== undefined ? `bun ${bun}` : deno !== undefined ? `deno ${deno}` : `node ${node}`
}

const sqliteLabels: Effect.Effect<Readonly<Record<string, string>>> = Effect.gen(function* () {
  const { driverInfo } = yield* Effect.promise(() => import("@petstore/storage-sqlite"))
  return yield* Effect.match(driverInfo(), {
    onSuccess: ({ driver, sqliteVersion }) => ({ driver, sqlite: sqliteVersion }),
    onFailure: () => ({})
  })
})

/** A store in memory has no SQLite. */
export const buildInfo = (isInMemory: boolean): Effect.Effect<Gauge> =>
  Effect.gen(function* () {
    const version = yield* Version
    const sqlite = isInMemory ? {} : yield* sqliteLabels
    return {
      name: "petstore_build_info",
      type: "gauge",
      help: "The versions of what serves, as labels of the number 1.",
      value: 1,
      labels: {
        version,
        runtime: runtime(),
        ...sqlite
      }
    }
  })
