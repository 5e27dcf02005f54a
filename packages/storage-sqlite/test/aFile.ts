/** Files for tests, gone afterwards. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DirectStorage, PetStore, Storage, StorageError } from "@petstore/core"
import { type Program, withDefaultCapabilities } from "@petstore/core/storage"
import { Cause, Context, Effect, Exit, Layer, Scope } from "effect"
import { onTestFinished } from "vitest"
import { type SqliteOptions, SqliteStorage } from "../src/index.js"

export const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "petstore-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The name of a file that is not there yet. */
export const aFile = (): string => join(aFolder(), "pets.db")

/** The ports on a file, closed after the test if not before. */
export const openPorts = async (options: SqliteOptions) => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(SqliteStorage.layer(options), scope))
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  onTestFinished(close)
  const direct = withDefaultCapabilities(Context.get(context, DirectStorage))
  const submit = async <A, E>(program: () => Program<A, E>) => direct.submit(program)
  return { storage: Context.get(context, Storage), direct, submit, close }
}

/** A store on a file, closed after the test if not before. */
export const openStore = async (options: SqliteOptions) => {
  const store = await PetStore.open({
    storage: SqliteStorage.layer(options),
    webhooks: { secret: "a secret of these tests only" }
  })
  onTestFinished(() => store.close())
  return store
}

/** Why a file can't be opened, or undefined. */
export const openingFailure = async (options: SqliteOptions): Promise<StorageError | undefined> => {
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(SqliteStorage.layer(options))))
  if (Exit.isSuccess(exit)) return undefined
  const failure = Cause.squash(exit.cause)
  if (failure instanceof StorageError) return failure
  throw failure
}
