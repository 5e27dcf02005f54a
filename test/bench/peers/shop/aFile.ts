/** A file name in a folder of its own, which goes with the process. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const aFile = (): string => {
  const folder = mkdtempSync(
    join(process.env["PETSTORE_BENCH_FOLDER"] ?? tmpdir(), "petstore-bench-")
  )
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, "pets.db")
}
