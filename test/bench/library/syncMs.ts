/** How long the disk below a folder takes to sync a small write: the cost of a durable commit. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { median } from "../http/statistics.js"

const SYNCS = 101
const PAGE = Buffer.alloc(4_096)

/** The median of {@link SYNCS}, in milliseconds. */
export const syncMs = (parent: string): number => {
  const folder = mkdtempSync(join(parent, "petstore-bench-"))
  const file = openSync(join(folder, "synced"), "w")
  try {
    return median(
      Array.from({ length: SYNCS }, () => {
        writeSync(file, PAGE)
        const startMs = performance.now()
        fdatasyncSync(file)
        return performance.now() - startMs
      })
    )
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true })
  }
}
