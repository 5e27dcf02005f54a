// The promises of the storage ports, checked under vitest.
import { claims } from "@petstore/storage-conformance"
import { Effect } from "effect"
import { test } from "vitest"
import { inNewFile } from "./newFile.js"

test.each(claims)("$claim", ({ check }) => Effect.runPromise(Effect.provide(check, inNewFile)))
