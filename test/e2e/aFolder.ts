/** A folder of its own for each test, gone when the tests are over. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

export const folders = (): (() => string) => {
  const root = mkdtempSync(join(tmpdir(), "petstore-e2e-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  return () => mkdtempSync(join(root, "test-"))
}
