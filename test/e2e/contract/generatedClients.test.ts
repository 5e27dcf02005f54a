/**
 * Clients that others' generators make of the document: generated, compiled strictly, and run
 * against a served store.
 */
import { execFile } from "node:child_process"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { openApiDocument, openApiText } from "@petstore/http-adapter"
import { afterAll, beforeAll, expect, it } from "vitest"
import { hasTools, toolsFolder } from "../../../scripts/ciCache.mjs"
import { type ServedShop, servedShop } from "./ServedShop.js"

const run = promisify(execFile)
const tsc = fileURLToPath(
  new URL("../../../node_modules/@typescript/native/bin/tsc", import.meta.url)
)

/** Within the workspace, so that what is generated finds what it imports. */
const folder = fileURLToPath(new URL(`../../dist/generated-${process.pid}`, import.meta.url))

const tool = (file: string): string => join(toolsFolder, "node_modules", file)

/**
 * Compiles one file strictly, and runs it with the service's URL and key; what it prints is JSON.
 */
const compiledAndRun = async (name: string, { url, key }: ServedShop): Promise<unknown> => {
  const flags = [
    "--strict",
    "--skipLibCheck",
    "--target",
    "es2022",
    "--lib",
    "es2023,dom,dom.iterable"
  ]
  await run(
    process.execPath,
    [tsc, "--ignoreConfig", ...flags, "--module", "nodenext", "--types", "node", name],
    { cwd: folder }
  )
  const { stdout } = await run(process.execPath, [name.replace(/\.ts$/, ".js"), url, key], {
    cwd: folder
  })
  return JSON.parse(stdout)
}

let shop: ServedShop

beforeAll(async () => {
  if (!hasTools) return
  mkdirSync(folder, { recursive: true })
  symlinkSync(tool(""), join(folder, "node_modules"), "dir")
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  writeFileSync(join(folder, "openapi.json"), openApiText(openApiDocument()))
  shop = await servedShop()
  await shop.store.categories.create({ name: "Dogs" })
})

afterAll(async () => {
  if (!hasTools) return
  await shop.close()
  rmSync(folder, { recursive: true, force: true })
})

it.skipIf(!hasTools)(
  "openapi-typescript and openapi-fetch make a client that compiles and works",
  async () => {
    await run(
      process.execPath,
      [tool("openapi-typescript/bin/cli.js"), "openapi.json", "-o", "petstore.ts"],
      { cwd: folder }
    )
    writeFileSync(
      join(folder, "fetching.ts"),
      `import createClient from "openapi-fetch"
import type { components, paths } from "./petstore.js"

const [, , baseUrl = "", key = ""] = process.argv
const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": key } })

const body: components["schemas"]["NewPet"] = { name: "Rex", categoryId: 1 }
// @ts-expect-error a status there is not
const wrong: components["schemas"]["NewPet"] = { name: "Rex", categoryId: 1, status: "lost" }
const made = await client.POST("/pets", { body })
const id: number = made.data?.id ?? 0
const listed = await client.GET("/pets", { params: { query: { id: [id], status: ["available", "sold"], total: true } } })
const patched = await client.PATCH("/pets/{petId}", { params: { path: { petId: id }, header: { "If-Match": "*" } }, body: { name: "Max" } })
const missing = await client.GET("/categories/{categoryId}", { params: { path: { categoryId: 99 } } })
const code: string | undefined = missing.error?.code
console.log(JSON.stringify([made.data?.status, listed.data?.length, patched.data?.name, code, wrong.status]))
`
    )
    expect(await compiledAndRun("fetching.ts", shop)).toEqual([
      "available",
      1,
      "Max",
      "not_found",
      "lost"
    ])
  },
  60_000
)

it.skipIf(!hasTools)(
  "oazapfts makes a client that compiles and works",
  async () => {
    await run(process.execPath, [tool("oazapfts/dist/cli.js"), "openapi.json", "generated.ts"], {
      cwd: folder
    })
    writeFileSync(
      join(folder, "calling.ts"),
      `import * as petstore from "./generated.js"

const [, , baseUrl = "", key = ""] = process.argv
petstore.defaults.baseUrl = baseUrl
petstore.defaults.headers = { "X-API-Key": key }

const made = await petstore.createPet({ name: "Tom", categoryId: 1 })
if (made.status !== 201) throw new Error(made.data.code)
const pet: petstore.Pet = made.data
const listed = await petstore.listPets({ id: [pet.id], total: true })
const stocked = await petstore.setInventory(pet.id, { quantity: 2 })
const refused = await petstore.placeOrder({ petId: pet.id, quantity: 3 })
console.log(JSON.stringify([
  listed.status === 200 && listed.data.length,
  stocked.status === 201 && stocked.data.quantity,
  refused.status === 409 && refused.data.code
]))
`
    )
    expect(await compiledAndRun("calling.ts", shop)).toEqual([1, 2, "insufficient_stock"])
  },
  60_000
)
