/** What a page or a worker has to load of the store. */
import { describe, expect, test } from "vitest"
import { bundle } from "../size/bundle.js"
import { PROGRAMS } from "../size/programs.js"

describe("bundled, minified and gzipped, effect included", () => {
  test.each(Object.entries(PROGRAMS))(
    "%s is below the limit",
    async (_name, { source, limitBytes }) => {
      const { gzippedBytes } = await bundle(source)
      expect(gzippedBytes).toBeGreaterThan(limitBytes / 2)
      expect(gzippedBytes).toBeLessThan(limitBytes)
    }
  )

  test("what a program does not use of core is left out: here the engine, which weighs most", async () => {
    const { minifiedBytes } = await bundle(
      'export { backoffMs } from "@petstore/core"\nexport { sha256 } from "@petstore/core/adapter"'
    )
    expect(minifiedBytes).toBeLessThan(5_000)
    const refusals = await bundle('export { NotFound, StorageError } from "@petstore/core"')
    expect([...refusals.modules.keys()].filter((id) => /Engine\.js/.test(id))).toEqual([])
  })

  test("the client for promises brings neither the contract nor the server along", async () => {
    const source = 'export { petStoreClient, fetchTransport } from "@petstore/http-adapter/client"'
    const { modules } = await bundle(source)
    const others = [...modules.keys()].filter((id) =>
      /@effect\/platform|http-adapter\/dist\/(serve|node|web)/.test(id)
    )
    expect(others).toEqual([])
  })

  test("the handler for workers brings neither modules of Node nor Swagger UI along", async () => {
    const others = async (entry: string) => {
      const source = `export { toWebHandler } from "@petstore/http-adapter${entry}"`
      const { modules } = await bundle(source)
      return [...modules.keys()].filter((id) => /node:|external|swagger|docsFile/i.test(id))
    }
    expect(await others("/web")).toEqual([])
    // The main entry does, so the pattern finds them.
    expect(await others("")).toContainEqual(expect.stringMatching(/docsFile/))
  })
})
