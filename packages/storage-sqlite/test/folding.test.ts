import { openSqlite } from "../../../test/e2e/openSqlite.js"
import { Effect } from "effect"
import { expect, test } from "vitest"
import { verify } from "../src/index.js"
import { aFile, openStore } from "./aFile.js"

/** A "K" that is no ASCII, and is folded to the same small letter. */
const KELVIN = "\u212a"

test("a pet is found by its name whatever the case, whether or not its folded name is stored", async () => {
  const filename = aFile()
  const store = await openStore({ filename })
  const { pets, categories } = store.direct
  const { id: categoryId } = categories.create({ name: "ÉTÉ" })
  const { id } = pets.create({ name: "Koi", categoryId })
  const found = (name: string) => pets.list({ name }).items.map((pet) => pet.name)
  expect(found("kOI")).toEqual(["Koi"])
  for (const name of [`${KELVIN}oi`, "KOI", "Élan", "koi", "Koi Élan", "ÎLE"]) {
    pets.update(id, { name })
    expect(found(name.slice(0, 2).toLowerCase())).toEqual([name])
    expect(found(name.toUpperCase())).toEqual([name])
  }
  expect(categories.list({ name: "été" }).items).toHaveLength(1)
  expect(await Effect.runPromise(verify({ filename }))).toEqual([])
})

test("only a folded name that is not the name in small letters takes room", async () => {
  const filename = aFile()
  const store = await openStore({ filename })
  const { id: categoryId } = store.direct.categories.create({ name: "Fish" })
  for (const name of ["Goldie", `${KELVIN}oi`, "Émile"])
    store.direct.pets.create({ name, categoryId })
  const file = openSqlite(filename)
  expect(file.rows("SELECT name, folding, folded_name AS folded FROM pets").all()).toEqual([
    ["Goldie", null, "goldie"],
    [`${KELVIN}oi`, "koi", "koi"],
    ["Émile", "émile", "émile"]
  ])
  file.close()
})
