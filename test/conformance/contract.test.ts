import { readFileSync } from "node:fs"
import { join } from "node:path"
import { claims, dataVersionClaims, directClaims } from "@petstore/storage-conformance"
import { expect, test } from "vitest"

const text = readFileSync(join(import.meta.dirname, "../../docs/storage-contract.md"), "utf8")
const [, promised = ""] = text.split("## What `Storage` and `Usage` promise")
const [named = ""] = promised.split("## What no claim can check")

/** The entries of the lists, each of which is a claim. Long ones continue on the next line. */
const entries = [...named.matchAll(/^- (.+(?:\n {2}\S.*)*)$/gm)].map(([, entry = ""]) =>
  entry.replace(/\n {2}/g, " ")
)

const sentences = [
  ...claims.map(({ claim }) => claim),
  ...directClaims
    .map(({ claim }) => claim)
    .filter((claim) => !/^(directly|submitted): /.test(claim)),
  ...dataVersionClaims.map(({ claim }) => claim)
]

test("the contract names every claim there is, once, and none that there isn't", () => {
  expect(new Set(entries)).toEqual(new Set(sentences))
  expect(entries).toHaveLength(sentences.length)
})
