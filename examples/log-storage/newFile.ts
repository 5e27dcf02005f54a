/**
 * A log storage on a new file each time it is built, in a folder that goes with it: what claims are
 * checked on.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { LogStorage } from "./LogStorage.js"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "petstore-log-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

export const inNewFile = Layer.unwrapScoped(
  Effect.map(folder, (path) => LogStorage.layer({ filename: join(path, "pets.log") }))
)
