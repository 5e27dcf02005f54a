/** Writes to a served store, remembers what was acknowledged, and compares that with a file. */
import { PetStore } from "@petstore/core"
import { SqliteStorage, verify } from "@petstore/storage-sqlite"
import { Effect } from "effect"
import { expect } from "vitest"
import type { Served } from "./petstore.js"

/** What the service has answered 201 to, by name, and how it answered what it refused. */
export type Answers = { readonly acknowledged: Array<string>; readonly refused: Array<string> }

let names = 0

/** Adds categories one after the other. */
export const addTo = async (
  { call }: Pick<Served, "call">,
  count: number,
  key?: string
): Promise<Answers> => {
  const answers: Answers = { acknowledged: [], refused: [] }
  for (let at = 0; at < count; at++) {
    const name = `category ${++names}`
    const response = await call(
      "/categories",
      { method: "POST", body: JSON.stringify({ name }) },
      key
    )
    const { code }: { readonly code?: string } = JSON.parse(await response.text())
    if (response.status === 201) answers.acknowledged.push(name)
    else answers.refused.push(`${response.status} ${code}`)
  }
  return answers
}

/** So many that were taken, by name; fails if any was refused. */
export const added = async (server: Pick<Served, "call">, count: number, key?: string) => {
  const { acknowledged, refused } = await addTo(server, count, key)
  expect(refused).toEqual([])
  return acknowledged
}

/** The statuses of readiness and of liveness. */
export const healthOf = ({ url }: Pick<Served, "url">): Promise<ReadonlyArray<number>> =>
  Promise.all(
    ["ready", "live"].map(async (which) => (await fetch(`${url}/health/${which}`)).status)
  )

/** The names of all categories in a file that nobody serves; fails if `verify` finds anything. */
export const categoriesIn = async (filename: string): Promise<ReadonlyArray<string>> => {
  const store = await PetStore.open({ storage: SqliteStorage.layer({ filename }) })
  const found: Array<string> = []
  for (let cursor: string | undefined; ;) {
    const page = store.direct.categories.list({
      limit: 100,
      ...(cursor === undefined ? {} : { cursor })
    })
    found.push(...page.items.map(({ name }) => name))
    cursor = page.next
    if (cursor === undefined) break
  }
  await store.close()
  expect(await Effect.runPromise(verify({ filename }))).toEqual([])
  return found
}
