// The promises of the storage ports, checked under node:test.
import { test } from "node:test"
import { claims } from "@petstore/storage-conformance"
import { Effect } from "effect"
import { inNewFile } from "./newFile.js"

for (const { claim, check } of claims) {
  void test(claim, () => Effect.runPromise(Effect.provide(check, inNewFile)))
}
