import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { openApiDocument, openApiText } from "@petstore/http-adapter"
import { Validator } from "@seriousme/openapi-schema-validator"
import { afterAll, describe, expect, it } from "vitest"
import { hasTools, toolsFolder } from "../../../scripts/ciCache.mjs"
import { petstore } from "../petstore.js"
import { documentCheck } from "./DocumentCheck.js"

const document = openApiDocument()
const folder = mkdtempSync(join(tmpdir(), "petstore-openapi-"))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Every place of the document that has both a schema and an example of it. */
const examplesIn = (
  value: unknown,
  place: string
): ReadonlyArray<readonly [string, unknown, unknown]> => {
  if (!isObject(value)) return []
  const own: Array<readonly [string, unknown, unknown]> = []
  if ("example" in value && "schema" in value) own.push([place, value["schema"], value["example"]])
  else if ("example" in value && "type" in value) own.push([place, value, value["example"]])
  const inner = Object.entries(value).filter(([name]) => name !== "example")
  return [...own, ...inner.flatMap(([name, each]) => examplesIn(each, `${place}/${name}`))]
}

describe("the OpenAPI document", () => {
  it("is valid by the schema of OpenAPI 3.0", async () => {
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(openApiText(document)))
    expect([result.valid, result.errors, validator.version]).toEqual([true, undefined, "3.0"])
  })

  it.skipIf(!hasTools)(
    "has no findings by the recommended rules of Redocly",
    async () => {
      const file = join(folder, "openapi.json")
      writeFileSync(file, openApiText(document, 2))
      const redocly = join(toolsFolder, "node_modules/@redocly/cli/bin/cli.js")
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [redocly, "lint", "--extends=recommended", "--format=json", file],
        {
          cwd: folder,
          env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
        }
      )
      const { totals }: { readonly totals: unknown } = JSON.parse(stdout)
      expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
    },
    30_000
  )

  it("has examples that its own schemas allow", () => {
    const check = documentCheck(document)
    const examples = examplesIn(document, "")
    expect(examples.length).toBeGreaterThan(60)
    const wrong = examples.filter(([, schema, example]) => !check.isValid(schema, example))
    expect(wrong.map(([place]) => place)).toEqual([])
  })

  it("is what petstore openapi prints, under any base path", async () => {
    const { code, stdout } = await petstore(["openapi"])
    expect([code, stdout]).toEqual([0, `${openApiText(document, 2)}\n`])
    const moved = await petstore(["openapi", "--base-path", "/v1"])
    expect(JSON.parse(moved.stdout)).toMatchObject({ servers: [{ url: "/v1" }] })
  })
})
