/** The test store's ports keep the promises that production storages keep. */
import { DirectStorage, Storage } from "@petstore/core"
import { MemoryStorage, openTestStore } from "@petstore/storage-memory"
import { Context, Effect, Layer } from "effect"
import { directSuite, suite } from "./suite.js"

const ports = Layer.scopedContext(
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => openTestStore()),
      (store) => Effect.promise(() => store.close())
    ),
    ({ engine }) => {
      if (engine.direct === undefined) throw new Error("the test store answers at once")
      return Context.make(Storage, engine.storage).pipe(Context.add(DirectStorage, engine.direct))
    }
  )
).pipe(Layer.provideMerge(MemoryStorage.layer))

suite("the test store", ports)
directSuite("the test store", ports)
